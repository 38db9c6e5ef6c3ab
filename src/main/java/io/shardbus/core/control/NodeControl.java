package io.shardbus.core.control;

import io.shardbus.core.coordinator.Coordinator;
import io.shardbus.core.coordinator.CoordinatorEvent;
import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.core.region.RegionStatus;
import io.shardbus.core.splitbrain.SplitCommand;
import io.shardbus.core.splitbrain.SplitResolver;
import io.shardbus.core.time.SuspensionWatch;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The control plane of one node: which nodes are here, which side of a split goes on, which term this node believes in,
 * and the coordinators of its own reign.
 *
 * <pre>
 *  views, attributes, deaths ---> Peers, SplitControl --+
 *  record read, written --------> Terms (Election) -----+--> Reign (a Coordinator for each type)
 *  messages of nodes -----------> Terms ----------------+
 * </pre>
 *
 * <p>Single owner: every method that takes a {@link Moment} is an event and returns commands, which are to be carried
 * out in their order before the next event. What follows from an event inside the node has happened when the method
 * returns.
 */
public final class NodeControl {
    private final NodeSetup setup;
    private final Turn turn;
    private final SuspensionWatch suspensions;
    private final Peers peers;
    private final SplitControl split;
    private final Terms terms;
    private final Election election;
    private final NodeMessages messages;
    private final Set<String> types = new LinkedHashSet<>();
    private KnownMembers known = KnownMembers.NONE;
    private @Nullable String misfit;
    private @Nullable String membershipEnd;

    /**
     * @param splits this node's decisions about splits; null where the caches alone decide which side goes on
     * @param settings of the coordinators that this node's reigns have
     */
    public NodeControl(NodeSetup setup, @Nullable SplitResolver splits, Reign.Settings settings, Moment start) {
        this.setup = setup;
        this.turn = new Turn(start.now());
        this.suspensions =
                new SuspensionWatch(setup.times().lease(), setup.times().margin() / 4, start.time(), start.now());
        this.peers = new Peers(setup.longestLeases());
        this.split = new SplitControl(setup, splits, peers, turn, new SplitEffects());
        this.terms = new Terms(setup, settings, split::members, split::goesOnWithout, new TermEffects(), turn);
        this.election = terms.election();
        this.messages = new NodeMessages(peers, split, terms, turn, this::excuse, () -> tellElection(false));
        if (splits != null) {
            election.standOnlyWhenAsked();
        }
    }

    /** The highest term that this node believes in. */
    public TermId term() {
        return terms.term();
    }

    /** The node that reigns in the term; null if it is not known. */
    public @Nullable NodeId coordinator() {
        return terms.coordinator();
    }

    /** The reign of this node; null if it does not coordinate. */
    public @Nullable Reign reign() {
        return terms.reign();
    }

    /**
     * The coordinator of a type in a term; null if this node does not reign in it any more, or the type has none yet.
     */
    public @Nullable Coordinator coordinator(String type, TermId of) {
        Reign present = terms.reign();
        return present == null || !present.term().equals(of) ? null : present.coordinator(type);
    }

    /** The nodes whose control messages are accepted: members, and those that were members a moment ago. */
    public KnownMembers known() {
        return known;
    }

    public Peers peers() {
        return peers;
    }

    public EndedTerms endedTerms() {
        return terms.endedTerms();
    }

    /** The announcements of a shutdown, for queries alone but {@link HeardAnnouncements#outdatedBy}. */
    public HeardAnnouncements announcements() {
        return terms.announcements();
    }

    /** The election, for queries alone: its events go through this class. */
    public Election election() {
        return election;
    }

    /** Whether this side of a split may act. */
    public boolean mayAct() {
        return split.mayAct();
    }

    /** Whether the loss of a member is not decided yet. */
    public boolean isUndecided() {
        return split.isUndecided();
    }

    /** Whether this node could not confirm its term for a lease, and has heard of no other coordinator since. */
    public boolean isCutOff() {
        return terms.isCutOff();
    }

    /** The reason why the regions of this node must not act; null if they may. */
    public @Nullable String refusal() {
        String stopped = membershipEnd == null ? split.stopped() : membershipEnd;
        return stopped != null ? stopped : misfit;
    }

    /** The members that depend on this node when it leaves; none where the whole cluster stops. */
    public Dependents dependents() {
        return terms.isClusterStopping() ? Dependents.NONE : split.dependents();
    }

    /** The reason why only a restart of this process helps; null if there is none. */
    public @Nullable String deadlock() {
        return split.deadlock();
    }

    /** The members of the view, oldest first. */
    public List<NodeId> members() {
        return split.members();
    }

    /**
     * The difference between the options by which this node decides about splits and those of the cluster; null if
     * there is none.
     */
    public @Nullable String difference() {
        return split.difference();
    }

    /** The arbiter's leases that this node may give back when it leaves: none while it is not alone, or undecided. */
    public List<SplitCommand.ReleaseArbiter> ownArbiterLeases() {
        return split.ownArbiterLeases();
    }

    public boolean isClusterStopping() {
        return terms.isClusterStopping();
    }

    /**
     * The way in which a region of this node ends that is told to. No shard is handed off while the whole cluster
     * stops, nor by a region that has none, nor where no coordinator can answer.
     *
     * @param membershipEnded whether this process hears nothing of its cluster any more
     */
    public RegionEnd regionEnd(RegionStatus status, boolean membershipEnded) {
        boolean noneAnswers = split.isLeaderless() || status != RegionStatus.REGISTERED || membershipEnded;
        return terms.isClusterStopping() || noneAnswers ? RegionEnd.STOP : RegionEnd.HAND_OFF;
    }

    /**
     * Number of a node's shards, of all types; empty if this node does not coordinate, or does not know all shards yet.
     */
    public Optional<Integer> shardsOn(NodeId node) {
        Reign present = terms.reign();
        return present == null ? Optional.empty() : present.shardsOn(node, types, turn.now());
    }

    /**
     * The membership changed.
     *
     * @param members oldest first
     * @param available whether the caches may be used on this side
     * @param merged whether two parts of the cluster have just become one
     */
    public List<NodeCommand> viewChanged(List<NodeId> members, boolean available, boolean merged, Moment at) {
        return on(at, () -> {
            known = known.viewChanged(members);
            Peers.Change change = peers.viewChanged(members, turn.now());
            split.viewChanged(members, available, merged);
            boolean lost = !change.vanished().isEmpty();
            terms.elect(election.viewChanged(split.electionView(), lost, merged, turn.now()));
            terms.whileReigning(reign -> reign.viewChanged(terms.grantable(), turn.now()));
            turn.add(new NodeCommand.NodesChanged(change));
            terms.tellMissing(change.come());
        });
    }

    /** Sets the nodes that have the term record in their caches. Until the first call every member counts as one. */
    public List<NodeCommand> countedChanged(Set<NodeId> nodes, Moment at) {
        return on(at, () -> {
            split.counted(nodes);
            terms.elect(election.counted(nodes, turn.now()));
            tellElection(false);
        });
    }

    /** @param said what all members say of themselves, as far as it is known */
    public List<NodeCommand> attributesChanged(Map<NodeId, PeerAttributes> said, Moment at) {
        return on(at, () -> {
            split.attributesChanged(said);
            tellElection(false);
        });
    }

    /**
     * A new member has taken the place of a node, so the process of that node is gone. If this side had stopped, the
     * dead node may have written the record and granted leases elsewhere until a moment ago. The record then counts as
     * seen for the first time, as after a merge, and leases are awaited from now on.
     */
    public List<NodeCommand> succeeded(NodeId node, Moment at) {
        return on(at, () -> {
            if (!split.mayAct() && peers.status(node).isLost() && split.isDecidedByDeath(node)) {
                tellElection(true);
            }
            died(node);
        });
    }

    /**
     * This process has left its cluster while it shards, for good: its regions drop their leases at once, as another
     * process that gets its address proves to the others that it holds none.
     */
    public List<NodeCommand> membershipEnded(String reason, Moment at) {
        return on(at, () -> {
            membershipEnd = reason;
            permit();
        });
    }

    /** The witness says that the process of a node is gone. */
    public List<NodeCommand> provenDead(NodeId node, Moment at) {
        return on(at, () -> died(node));
    }

    /**
     * The coordinator granted a lease to a region of this node, which was in its view then. A lease ends no later than
     * the coordinator's authority, so its term was confirmed by a write that was sent a lease before that, or later.
     * This is not an event: it causes no command.
     *
     * @param until the end of the lease, in elapsed milliseconds
     */
    public void leaseGranted(long until) {
        split.tookPart(until - election.longestLease());
    }

    /**
     * The process of a node is gone. A death that does not decide about the node's loss takes effect once this side may
     * act.
     */
    private void died(NodeId node) {
        boolean lost = peers.status(node).isLost();
        boolean decides = split.isDecidedByDeath(node);
        if (lost) {
            split.died(node);
        }
        if (!decides) {
            split.diedTooLate(node);
        }
        if ((decides || split.mayAct()) && peers.provenDead(node)) {
            turn.add(new NodeCommand.TakeForDead(node));
            if (decides) {
                excuse(node);
            }
            terms.elect(election.nodeProvenDead(node, peers.isUndecided(turn.now()), turn.now()));
            terms.whileReigning(reign -> reign.provenDead(node, turn.now()));
        }
    }

    /** The node left in good order, or its process is proven to be dead: its absence splits nothing. */
    private void excuse(NodeId node) {
        turn.add(new NodeCommand.Excuse(node));
        split.resolve(resolver -> resolver.excused(node, turn.now()));
    }

    /** Time passed. */
    public List<NodeCommand> tick(Moment at) {
        return on(at, () -> {
            if (split.tick()) {
                tellElection(false);
            }
            terms.elect(election.tick(turn.now()));
            String before = misfit;
            misfit = election.misfit().orElse(null);
            if (!Objects.equals(before, misfit)) {
                permit();
            }
            terms.tellAll(new CoordinatorEvent.Ticked());
            terms.orders().tick();
            terms.whileReigning(terms.orders()::check);
        });
    }

    /** A region of this type starts on this node, whose definition is known from now on. */
    public List<NodeCommand> typeAdded(String type, Moment at) {
        types.add(type);
        return on(at, () -> terms.whileReigning(reign -> reign.settingsChanged(type, turn.now())));
    }

    public void typeRemoved(String type) {
        types.remove(type);
    }

    /** Begins or takes back the announced stop of the whole cluster, during which no shard moves. */
    public List<NodeCommand> clusterStops(boolean stops, Moment at) {
        return on(at, () -> terms.clusterStops(stops));
    }

    /** As {@link #clusterStops(boolean, Moment)}, unless a later announcement was heard before. */
    public List<NodeCommand> clusterStops(ShutdownAnnouncement said, Moment at) {
        return on(at, () -> terms.announced(said));
    }

    /** An operator gives an order, or an operation on the record of standing orders ended. */
    public List<NodeCommand> ordered(OrderEvent event, Moment at) {
        return on(at, () -> event.accept(terms.orders()));
    }

    /** This node never coordinates from now on: it does not fit the others. */
    public List<NodeCommand> withdraw(Moment at) {
        return on(at, () -> terms.elect(election.resign(turn.now())));
    }

    /**
     * This node leaves: it gives up its term, if it reigns, in favour of the next, and tells all that it goes.
     *
     * @param ended whether all its regions have ended: it holds no lease and gets none
     */
    public List<NodeCommand> leave(boolean ended, Moment at) {
        return on(at, () -> {
            terms.abdicate(ended, () -> election.resign(turn.now()));
            terms.broadcast(new NodeMessage.NodeLeaving(setup.self(), ended));
        });
    }

    /** The term record was read. */
    public List<NodeCommand> recordRead(long operation, @Nullable TermRecord found, Moment at) {
        return on(at, () -> terms.elect(election.readCompleted(operation, found, turn.now())));
    }

    /** The term record could not be read. */
    public List<NodeCommand> recordUnread(long operation, Moment at) {
        return on(at, () -> terms.elect(election.readFailed(operation, turn.now())));
    }

    /** The compare-and-set of the term record ended. */
    public List<NodeCommand> recordReplaced(long operation, Election.Outcome outcome, Moment at) {
        return on(at, () -> terms.elect(election.replaceCompleted(operation, outcome, turn.now())));
    }

    /** A replica of the term record showed this one. */
    public List<NodeCommand> recordSighted(TermRecord record, Moment at) {
        return on(at, () -> {
            election.recordSighted(record, turn.now());
            split.resolve(resolver -> resolver.recordSighted(record, turn.now()));
            if (election.isRevivedBy(record)) {
                split.founded();
            }
        });
    }

    /**
     * These seats may be held by a process.
     *
     * @param complete whether every process of the cluster that lives holds one of them
     */
    public List<NodeCommand> seatsProbed(TermId attempt, int round, Set<String> occupied, boolean complete, Moment at) {
        return on(at, () -> terms.elect(election.seatsProbed(attempt, round, occupied, complete, turn.now())));
    }

    /** The term record was read for this node's decisions about splits. */
    public List<NodeCommand> recordRead(SplitCommand.ReadRecord read, @Nullable TermRecord found, Moment at) {
        return on(at, () -> split.resolve(resolver -> resolver.recordRead(read, found, turn.now())));
    }

    /** The arbiter granted or refused. */
    public List<NodeCommand> arbiterAnswered(SplitCommand.AskArbiter asked, boolean granted, Moment at) {
        return on(at, () -> split.resolve(resolver -> resolver.arbiterAnswered(asked, granted, turn.now())));
    }

    /** The arbiter failed, or took too long. */
    public List<NodeCommand> arbiterFailed(SplitCommand.AskArbiter asked, Moment at) {
        return on(at, () -> split.resolve(resolver -> resolver.arbiterFailed(asked, turn.now())));
    }

    /** @param stamp that the arbiter's lease bears now, null if the owner does not have it any more */
    public List<NodeCommand> arbiterReleased(SplitCommand.ReleaseArbiter released, @Nullable String stamp, Moment at) {
        return on(at, () -> split.resolve(resolver -> resolver.arbiterReleased(released, stamp, turn.now())));
    }

    /**
     * An event for this node's coordinator of a type in a term: the answer of its strategy or store, or an operator's
     * wish.
     */
    public List<NodeCommand> coordinate(String type, TermId of, CoordinatorEvent event, Moment at) {
        return on(
                at,
                () -> terms.whileReigning(reign -> {
                    if (reign.term().equals(of)) {
                        reign.step(type, event, turn.now());
                    }
                }));
    }

    /** A message of a node to all. */
    public List<NodeCommand> forNode(NodeId from, NodeMessage message, Moment at) {
        return heard(from, at, () -> messages.hear(from, known, message));
    }

    /** A region's message to the coordinator of its term. */
    public List<NodeCommand> forCoordinator(NodeId from, TermId of, String type, ToCoordinator message, Moment at) {
        return heard(from, at, () -> {
            if (refusal() != null) {
                return;
            }
            terms.heard(of, null);
            Reign present = terms.reign();
            if (present != null && present.term().equals(of)) {
                CoordinatorEvent.Received event = new CoordinatorEvent.Received(from, message);
                String problem = present.received(type, event, terms.grantable(), turn.now());
                if (problem != null) {
                    terms.refuse(problem);
                }
            } else if (terms.coordinator() != null && terms.term().isHigherThan(of)) {
                terms.tellTerm(from);
            }
        });
    }

    /** A coordinator's message to a region of this node. */
    public List<NodeCommand> forRegion(NodeId from, TermId of, String type, ToRegion message, Moment at) {
        return heard(from, at, () -> {
            if (refusal() == null) {
                terms.heard(of, from);
                turn.add(new NodeCommand.Deliver(type, of, message));
            }
        });
    }

    /** A message of a kind that this build does not know. */
    public List<NodeCommand> forLaterBuild(NodeId from, int kind, Moment at) {
        return heard(from, at, () -> {
            if (refusal() == null) {
                turn.add(new NodeCommand.Skip(from, kind));
            }
        });
    }

    /** A message is an event if its sender is a member here, or was: what a stranger sends changes nothing. */
    private List<NodeCommand> heard(NodeId from, Moment at, Runnable event) {
        boolean believed = known.contains(from) || setup.self().equals(from);
        return believed ? on(at, event) : List.of(new NodeCommand.RefuseStranger(from));
    }

    private List<NodeCommand> on(Moment at, Runnable event) {
        turn.begin(at.now(), at.wall());
        election.wallClock(at.wall());
        long doubtful = suspensions.doubtfulGain(at.time(), at.now());
        if (doubtful > 0) {
            turn.add(new NodeCommand.DoubtTime(doubtful));
            peers.postpone(doubtful);
            split.timeDoubted(doubtful);
            terms.timeDoubted(doubtful);
        }
        endOverdueReign();
        event.run();
        return turn.end();
    }

    /**
     * Ends a reign whose authority has run out before the event: a late confirmation must not extend it. The result is
     * that of a tick just before the event.
     */
    private void endOverdueReign() {
        if (terms.reign() != null && !election.reigns(turn.now())) {
            terms.elect(election.tick(turn.now()));
        }
    }

    private void tellElection(boolean merged) {
        terms.elect(election.viewChanged(split.electionView(), false, merged, turn.now()));
    }

    private void permit() {
        turn.add(new NodeCommand.Permit(refusal()));
    }

    private final class SplitEffects implements SplitControl.Effects {
        @Override
        public void undecided(boolean undecided) {
            terms.lossUndecided(undecided);
        }

        @Override
        public void recordMayBeOld() {
            election.recordMayBeOld();
        }

        @Override
        public void permissionChanged(boolean mayAct, boolean viewFollows) {
            // otherwise the election would claim by the view from before a merge
            if (!mayAct || !viewFollows) {
                tellElection(false);
            }
            permit();
        }

        @Override
        public void mayCoordinate(boolean may) {
            if (may) {
                terms.elect(election.stand(true, turn.now()));
            } else {
                terms.abdicate(false, () -> election.stand(false, turn.now()));
            }
        }
    }

    private final class TermEffects implements Terms.Effects {
        @Override
        public void founded() {
            split.founded();
        }

        @Override
        public void tookPart(long sent) {
            split.tookPart(sent);
        }
    }
}
