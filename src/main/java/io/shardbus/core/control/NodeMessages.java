package io.shardbus.core.control;

import io.shardbus.core.coordinator.CoordinatorEvent;
import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.model.NodeId;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the messages of a node to all bring about: terms, what is given up, seats, goodbyes. */
final class NodeMessages implements NodeMessage.Visitor {
    private final Peers peers;
    private final SplitControl split;
    private final Terms terms;
    private final Election election;
    private final Turn turn;
    private final Consumer<NodeId> excuse;
    private final Runnable tellElection;
    private KnownMembers known = KnownMembers.NONE;
    private @Nullable NodeId sender;

    /**
     * @param excuse the absence of a node splits nothing
     * @param tellElection who is a candidate has changed
     */
    NodeMessages(
            Peers peers, SplitControl split, Terms terms, Turn turn, Consumer<NodeId> excuse, Runnable tellElection) {
        this.peers = peers;
        this.split = split;
        this.terms = terms;
        this.election = terms.election();
        this.turn = turn;
        this.excuse = excuse;
        this.tellElection = tellElection;
    }

    /** @param believed the nodes whose messages are believed, the sender among them, if it is not this node */
    void hear(NodeId from, KnownMembers believed, NodeMessage message) {
        sender = from;
        known = believed;
        message.accept(this);
    }

    private NodeId from() {
        return Objects.requireNonNull(sender);
    }

    @Override
    public void termAnnounced(NodeMessage.TermAnnounced message) {
        NodeId reigning = message.coordinator();
        if (!known.contains(reigning)) {
            terms.refuse(from() + " announced the term of " + reigning + ", which is not a member here");
            return;
        }
        terms.heard(message.term(), terms.unlessSelf(reigning));
        boolean isAnnounced = from().equals(reigning) && terms.announced(message.term(), reigning);
        Set<NodeId> missing = message.missing();
        if (missing != null && known.contains(from())) {
            split.told(missing, isAnnounced);
        }
        // Sides of a split may have reached different terms: a node that goes on with the lower must hear of the
        // higher
        if (terms.term().isHigherThan(message.term()) && terms.unlessSelf(reigning) != null) {
            terms.tellTerm(reigning);
        }
    }

    @Override
    public void abdicated(NodeMessage.Abdicated message) {
        terms.abdicated(from(), message);
    }

    @Override
    public void seatsAsked(NodeMessage.SeatsAsked message) {
        if (isOfSender(message.node(), "SeatsAsked")) {
            terms.elect(election.seatsAsked(message, turn.now()));
        }
    }

    @Override
    public void seatAnswered(NodeMessage.SeatAnswered message) {
        if (isOfSender(message.node(), "SeatAnswered")) {
            terms.elect(election.seatAnswered(message, turn.now()));
        }
    }

    @Override
    public void nodeLeaving(NodeMessage.NodeLeaving message) {
        if (isOfSender(message.node(), "NodeLeaving")) {
            peers.saidGoodbye(message.node());
            excuse.accept(message.node());
            // its attributes may have gone before
            tellElection.run();
            if (message.ended()) {
                election.holders().left(message.node(), turn.now());
                terms.tellAll(new CoordinatorEvent.NodeLeft(message.node(), turn.now()));
            }
        }
    }

    private boolean isOfSender(NodeId node, String message) {
        if (!from().equals(node)) {
            terms.refuse(from() + " sent " + message + " in the name of " + node);
        }
        return from().equals(node);
    }
}
