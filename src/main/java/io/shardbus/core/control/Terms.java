package io.shardbus.core.control;

import io.shardbus.core.coordinator.CoordinatorCommand;
import io.shardbus.core.coordinator.CoordinatorEvent;
import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The term and the coordinator that a node believes in, its election, and its own reign while it coordinates. */
final class Terms implements ElectionCommand.Visitor {
    /** Effects of a term on the node. */
    interface Effects {
        /** All seats hold to a founding by this node that gives the record back to its side. */
        void founded();

        /** A write to the term record that this node sent at that moment took hold. */
        void tookPart(long sent);
    }

    private final NodeSetup setup;
    private final Election election;
    private final Reign.Settings settings;
    private final Supplier<List<NodeId>> members;
    private final Supplier<Set<NodeId>> missing;
    private final Effects effects;
    private final Turn turn;
    private final EndedTerms endedTerms = new EndedTerms();
    private final OrderBook orders;
    private TermId term = TermId.NONE;
    private @Nullable NodeId coordinator;
    private @Nullable Reign reign;
    private long confirmSent;
    /** Whether this node's last reign ended because its term could not be confirmed. */
    private boolean lapsed;

    private boolean undecided;
    private final HeardAnnouncements announcements = new HeardAnnouncements();
    private boolean clusterStops;

    /**
     * @param settings of the coordinators that this node's reigns have
     * @param members of the present view
     * @param missing the nodes without which this side goes on, or may
     */
    Terms(
            NodeSetup setup,
            Reign.Settings settings,
            Supplier<List<NodeId>> members,
            Supplier<Set<NodeId>> missing,
            Effects effects,
            Turn turn) {
        this.setup = setup;
        this.settings = settings;
        this.members = members;
        this.missing = missing;
        this.effects = effects;
        this.turn = turn;
        this.election = new Election(
                setup.self(),
                setup.incarnation(),
                setup.mayCoordinate(),
                setup.seats(),
                setup.times(),
                setup.processStart());
        this.orders = new OrderBook(this::reign, members, turn);
        if (setup.witnessed()) {
            election.holders().list();
        }
        election.minorityMayGoOn(setup.minorityMayGoOn());
    }

    Election election() {
        return election;
    }

    OrderBook orders() {
        return orders;
    }

    EndedTerms endedTerms() {
        return endedTerms;
    }

    TermId term() {
        return term;
    }

    /** The node that reigns in the term; null if it is not known. */
    @Nullable
    NodeId coordinator() {
        return coordinator;
    }

    /** The reign of this node; null if it does not coordinate. */
    @Nullable
    Reign reign() {
        return reign;
    }

    /** Whether this node could not confirm its term for a lease, and knows of no other that reigns since. */
    boolean isCutOff() {
        return lapsed && coordinator == null;
    }

    boolean isClusterStopping() {
        return clusterStops;
    }

    /**
     * Carries out the commands of the election. If one fails, the others are still carried out: an operation on the
     * record that was skipped would count as under way for ever.
     */
    void elect(List<ElectionCommand> wanted) {
        RuntimeException failure = null;
        for (ElectionCommand command : wanted) {
            turn.add(new NodeCommand.Elected(command));
            try {
                command.accept(this);
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    void timeDoubted(long gained) {
        elect(election.timeDoubted(gained, turn.now()));
        endedTerms.forgetMoments();
    }

    /** The members of the view that may hold leases of this node's reign. */
    Set<NodeId> grantable() {
        return election.holders().grantable(members.get());
    }

    void lossUndecided(boolean isUndecided) {
        undecided = isUndecided;
        election.lossUndecided(isUndecided, turn.now());
        whileReigning(present -> present.lossUndecided(isUndecided, turn.now()));
    }

    HeardAnnouncements announcements() {
        return announcements;
    }

    /** One that a later announcement has overtaken is forgotten. */
    void announced(ShutdownAnnouncement said) {
        if (announcements.isNews(said, turn.wall())) {
            announcements.heard(said, turn.wall());
            clusterStops(said.stops());
        }
    }

    void clusterStops(boolean stops) {
        clusterStops = stops;
        election.clusterStops(stops, turn.now());
        whileReigning(present -> present.clusterStops(stops, turn.now()));
    }

    void whileReigning(Consumer<Reign> task) {
        Reign present = reign;
        if (present != null) {
            task.accept(present);
        }
    }

    void tellAll(CoordinatorEvent event) {
        whileReigning(present -> present.all(event, turn.now()));
    }

    /**
     * Ends this node's reign, if there is one, and tells the successor which leases it leaves.
     *
     * @param ended whether this node holds none
     */
    void abdicate(boolean ended, Supplier<List<ElectionCommand>> resignation) {
        Reign present = reign;
        Map<String, Set<NodeId>> holders = present == null ? Map.of() : present.leaseHolders();
        holders.values().forEach(nodes -> nodes.removeIf(node -> ended && node.equals(setup.self())));
        elect(resignation.get());
        if (present != null) {
            broadcast(new NodeMessage.Abdicated(present.term(), holders));
        }
    }

    void broadcast(NodeMessage message) {
        turn.add(new NodeCommand.Broadcast(message));
    }

    void refuse(String problem) {
        turn.add(new NodeCommand.Refuse(problem));
    }

    /**
     * Tells a node the term that this one has met. Without a coordinator that is here the announcement names the node
     * itself: one that left before the node came is no member to it, and what a stranger says is refused.
     */
    void tellTerm(NodeId to) {
        turn.add(new NodeCommand.Send(to, new NodeMessage.TermAnnounced(term, reigningFor(to))));
    }

    private NodeId reigningFor(NodeId to) {
        boolean isHere = coordinator != null && members.get().contains(coordinator);
        return isHere ? Objects.requireNonNull(coordinator) : to;
    }

    /**
     * Tells joining nodes which nodes this side has left behind: if the members that know it die, the joined ones must
     * not go on beside the left-behind nodes.
     */
    void tellMissing(Set<NodeId> come) {
        Set<NodeId> absent = missing.get();
        if (absent.isEmpty() || term.equals(TermId.NONE)) {
            return;
        }
        come.forEach(
                to -> turn.add(new NodeCommand.Send(to, new NodeMessage.TermAnnounced(term, reigningFor(to), absent))));
    }

    /** A message carries a term: a higher one than before may be made up. */
    void heard(TermId heard, @Nullable NodeId reigning) {
        if (heard.isHigherThan(term)) {
            elect(election.termHeard(heard, reigning, turn.now()));
        } else {
            seen(heard, reigning);
        }
    }

    /**
     * The regions turn to a higher term. It is this node's own or one that the election believes, which has ended the
     * node's reign before.
     */
    private void seen(TermId seen, @Nullable NodeId reigning) {
        if (seen.isHigherThan(term)) {
            term = seen;
            coordinator = reigning;
            turn.add(new NodeCommand.TurnTo(seen));
        } else if (seen.equals(term) && coordinator == null) {
            coordinator = unlessSelf(reigning);
        }
    }

    @Nullable
    NodeId unlessSelf(@Nullable NodeId node) {
        return setup.self().equals(node) ? null : node;
    }

    /**
     * The coordinator of the term said itself that it reigns; what was heard of it before may have been made up.
     *
     * @return whether the term is the one that this node believes in
     */
    boolean announced(TermId of, NodeId reigning) {
        boolean believed = of.equals(term);
        if (believed) {
            coordinator = reigning;
        }
        return believed;
    }

    /** A node says that it gave up a term; of its own terms this node needs no message. */
    void abdicated(NodeId from, NodeMessage.Abdicated message) {
        if (setup.self().equals(from)) {
            return;
        }
        Set<String> impossible = endedTerms.abdicated(
                from, message.term(), message.sessions(), members.get().size());
        if (!impossible.isEmpty()) {
            refuse(from + " names more holders of leases than there can be, of the types " + impossible);
        }
        whileReigning(present -> {
            if (present.begin().predecessor().equals(message.term())) {
                present.predecessorEnded(endedTerms.before(present.begin()), turn.now());
            }
        });
    }

    private void coordinated(String type, TermId of, CoordinatorCommand command) {
        if (command instanceof CoordinatorCommand.ConfirmTerm) {
            elect(election.confirmationWanted(turn.now()));
        } else if (command instanceof CoordinatorCommand.Refuse refused) {
            refuse(refused.problem());
        } else if (command instanceof CoordinatorCommand.ExceedTerm wanted) {
            if (election.exceed(wanted.stored(), turn.now())) {
                elect(election.tick(turn.now()));
            } else {
                turn.add(new NodeCommand.Coordinated(type, of, tooFarAhead(wanted)));
            }
        } else {
            turn.add(new NodeCommand.Coordinated(type, of, command));
        }
    }

    private static CoordinatorCommand.Report tooFarAhead(CoordinatorCommand.ExceedTerm wanted) {
        return new CoordinatorCommand.Report(
                true,
                wanted.store() + " has term " + wanted.stored() + ", which is more than a day ahead of this node's"
                        + " clock in milliseconds since 1970, or two of the cluster's terms, so terms do not follow it,"
                        + " and the store refuses this cluster: stop all nodes, set the clocks right and start them, or"
                        + " put the store's terms to 0");
    }

    @Override
    public void begin(ElectionCommand.Begin command) {
        TermId of = command.term();
        Reign next = new Reign(
                command,
                turn.now(),
                setup.times(),
                election.holders(),
                settings,
                (type, wanted) -> coordinated(type, of, wanted));
        reign = next;
        confirmSent = command.confirmSent();
        next.lossUndecided(undecided, turn.now());
        next.predecessorEnded(endedTerms.before(command), turn.now());
        seen(of, setup.self());
        // others may have said that the term has begun before this node knew that its claim took hold
        coordinator = setup.self();
        next.clusterStops(clusterStops, turn.now());
        orders.check(next);
    }

    @Override
    public void confirmed(ElectionCommand.Confirmed command) {
        confirmSent = command.confirmSent();
        effects.tookPart(confirmSent);
        whileReigning(present -> {
            if (present.term().equals(command.term())) {
                present.confirmed(command.confirmSent(), grantable(), turn.now());
                broadcast(new NodeMessage.TermAnnounced(command.term(), setup.self(), missing.get()));
            }
        });
    }

    @Override
    public void stepDown(ElectionCommand.StepDown command) {
        lapsed = turn.now() >= confirmSent + setup.times().lease();
        if (!setup.minorityMayGoOn()) {
            // the next term may be this node's own
            Reign ended = reign;
            reign = null;
            if (ended != null) {
                endedTerms.remember(ended.term(), ended.ended());
            }
        }
        reign = null;
        coordinator = unlessSelf(coordinator);
    }

    @Override
    public void termBelieved(ElectionCommand.TermBelieved command) {
        seen(command.term(), unlessSelf(command.coordinator()));
    }

    @Override
    public void termRefused(ElectionCommand.TermRefused command) {
        refuse("term " + command.term().number() + " cannot have begun");
    }

    @Override
    public void askSeats(ElectionCommand.AskSeats command) {
        broadcast(command.message());
    }

    @Override
    public void answerSeat(ElectionCommand.AnswerSeat command) {
        turn.add(new NodeCommand.Send(command.to(), command.message()));
    }

    @Override
    public void read(ElectionCommand.Read command) {
        // the record is read and written by the owner of the machine
    }

    @Override
    public void replace(ElectionCommand.Replace command) {}

    @Override
    public void revive(ElectionCommand.Revive command) {
        effects.founded();
    }
}
