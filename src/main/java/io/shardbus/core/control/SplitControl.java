package io.shardbus.core.control;

import io.shardbus.core.splitbrain.SplitCommand;
import io.shardbus.core.splitbrain.SplitResolver;
import io.shardbus.model.NodeId;
import io.shardbus.model.SplitMember;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The members as this node sees them, and whether its side may act: by the caches, and by this node's decisions about
 * splits.
 */
final class SplitControl implements SplitCommand.Visitor {
    /** Effects of a decision on the node. */
    interface Effects {
        /** Whether no node may claim a term, and the coordinator must keep what the lost had. */
        void undecided(boolean undecided);

        /** Nodes that are dead may have reigned since the record that this side has. */
        void recordMayBeOld();

        /**
         * Whether this side may act has changed.
         *
         * @param viewFollows whether the election is still to hear of the view that brought it about
         */
        void permissionChanged(boolean mayAct, boolean viewFollows);

        /** Whether this node may coordinate, because it decides by the same options as the cluster, has changed. */
        void mayCoordinate(boolean may);
    }

    private static final long NOT_AWAITING = Long.MAX_VALUE;

    /** A reign that goes on in the caches of a stopped side is seen within less. */
    private static final int LEASES_BEFORE_DEADLOCK = 2;

    private final NodeSetup setup;
    private final @Nullable SplitResolver resolver;
    private final Peers peers;
    private final Turn turn;
    private final Effects effects;
    private List<NodeId> members = List.of();
    private Map<NodeId, PeerAttributes> attributes = Map.of();
    private final SilentMembers silent = new SilentMembers();
    /** The nodes that have the term record in their caches; null before that is known. */
    private @Nullable Set<NodeId> counted;
    /** Whether the caches may be used on this side. */
    private boolean available;
    /** Whether the election hears of a view next. */
    private boolean viewFollows;

    private @Nullable String stopped;
    /**
     * Lost nodes, and nodes left behind earlier, whose death was proven too late to decide about them: others may have
     * gone on with them before.
     */
    private final Set<NodeId> deadTooLate = new LinkedHashSet<>();

    private final RecentDeaths deaths = new RecentDeaths();
    /** Whether this side, while it is stopped, has met another one. */
    private boolean met;

    private boolean stands;

    /** Whether all seats held to a founding with this side, and it stayed stopped: no other founding helps it. */
    private boolean foundedInVain;

    /** Since when this side stays stopped only because of nodes that it left behind earlier. */
    private long awaitingSince = NOT_AWAITING;

    /** @param resolver null where the caches alone decide which side goes on */
    SplitControl(NodeSetup setup, @Nullable SplitResolver resolver, Peers peers, Turn turn, Effects effects) {
        this.setup = setup;
        this.resolver = resolver;
        this.peers = peers;
        this.turn = turn;
        this.effects = effects;
    }

    List<NodeId> members() {
        return members;
    }

    /** Whether no member may coordinate; a member that has the record, and whose attributes are unknown yet, may. */
    boolean isLeaderless() {
        return members.stream().noneMatch(this::mayBeCandidate);
    }

    /** The reason why this side must not act; null if it was not decided so. */
    @Nullable
    String stopped() {
        return stopped;
    }

    /**
     * Whether the proof that a lost node is dead replaces the strategy's decision about its loss. It does for a node
     * that was lost alone: it cannot have gone on with another node. Several lost nodes may have gone on together, let
     * other nodes join, and died after that. Where a minority may go on, even a single node may have gone on; and a
     * strategy that handles one clean cut at a time counts the dead for a while.
     */
    boolean isDecidedByDeath(NodeId node) {
        PeerStatus status = peers.status(node);
        if (resolver == null || resolver.isForOneCut()) {
            return mayAct() || status.isNews(turn.now());
        }
        return mayAct() && !resolver.isUndecided() || !setup.minorityMayGoOn() && deaths.isAlone(node, missing());
    }

    /** The nodes that this side lost, and those without which it went on earlier. */
    private Set<NodeId> missing() {
        if (resolver == null) {
            return Set.of();
        }
        Set<NodeId> missing = new LinkedHashSet<>(resolver.leftBehind());
        missing.addAll(resolver.lost());
        return missing;
    }

    /** The process of a lost node is gone. */
    void died(NodeId node) {
        deaths.proven(node, turn.now());
    }

    /** A write that was sent at that moment, or later, confirmed the term of a reign that this node takes part in. */
    void tookPart(long sent) {
        deaths.tookPart(sent);
    }

    /**
     * The process of a lost node is gone. The proof does not end the stop of this side by itself: others may have gone
     * on with that node since.
     */
    void diedTooLate(NodeId node) {
        if (resolver != null
                && (resolver.lost().contains(node) || resolver.leftBehind().contains(node))) {
            deadTooLate.add(node);
            excuseTheLate();
        }
    }

    /**
     * Once this side has met another one, and has the caches, the dead are not awaited any more. If a minority may go
     * on, the caches prove nothing: newcomers may have joined the dead nodes, and may go on.
     */
    private void excuseTheLate() {
        if (stopped != null && met && available && !setup.minorityMayGoOn()) {
            List.copyOf(deadTooLate).forEach(node -> resolve(found -> found.excused(node, turn.now())));
        }
    }

    /**
     * The reason why this side stays stopped until its processes are started anew; null if it may go on by itself. No
     * lost node comes back, and no founding gives the caches back to this side: it has them already, or its strategy
     * decides about them.
     */
    @Nullable
    String deadlock() {
        if (stopped == null || resolver == null || mayBeRevived()) {
            return null;
        }
        // all nodes that were lost in this split died in time: the side waits for nodes that it had left behind before
        Set<NodeId> awaited = resolver.lost().isEmpty() ? resolver.leftBehind() : resolver.lost();
        if (!awaited.isEmpty() && deadTooLate.containsAll(awaited)) {
            return "this side stopped in a split, and the processes of the lost nodes " + awaited
                    + " have ended: restart all nodes of this side " + members;
        }
        return setup.minorityMayGoOn() && hasAwaitedForLong()
                ? "this side stopped in a split; the nodes that it lost are dead, but may have gone on with " + awaited
                        + ", which this side had lost earlier: restart all nodes of this side " + members
                : null;
    }

    /** Whether a founding with all seats may end the stop. */
    private boolean mayBeRevived() {
        boolean mayBeFounded = setup.seats().kind() != Seats.Kind.ALONE && !foundedInVain;
        return !setup.minorityMayGoOn() && (!available || mayBeFounded && awaitingSince != NOT_AWAITING);
    }

    private boolean hasAwaitedForLong() {
        return awaitingSince != NOT_AWAITING
                && turn.now() - awaitingSince
                        >= LEASES_BEFORE_DEADLOCK * setup.times().lease();
    }

    /**
     * Whether this side must not use the caches until a founding makes them available again. Where a minority may go
     * on, the strategy decides about the caches, and no founding does.
     */
    private boolean isDenied() {
        return (!available || awaitingSince != NOT_AWAITING) && !setup.minorityMayGoOn();
    }

    /** The nodes without which this side goes on, or may, as members that join later are told. */
    Set<NodeId> goesOnWithout() {
        return resolver == null ? Set.of() : resolver.goesOnWithout();
    }

    /**
     * A member reports the nodes that its side goes on without, or may go on without. Nodes that this node knows to
     * have ended are ignored.
     *
     * @param all whether the member coordinates, so that these are all
     */
    void told(Set<NodeId> missing, boolean all) {
        Set<NodeId> news =
                missing.stream().filter(node -> !peers.status(node).hasEnded()).collect(Collectors.toSet());
        resolve(found -> found.told(news, all, turn.now()));
    }

    /** All seats hold to a founding with this side. */
    void founded() {
        deaths.clear();
        if (awaitingSince != NOT_AWAITING) {
            resolve(found -> found.founded(turn.now()));
            foundedInVain = stopped != null;
        }
    }

    /** The other members that stay and take part in sharding, if this node may coordinate. */
    Dependents dependents() {
        if (!setup.mayCoordinate()) {
            return Dependents.NONE;
        }
        List<NodeId> staying = members.stream()
                .filter(node ->
                        !node.equals(setup.self()) && !peers.status(node).isDeparting() && takesPart(node))
                .toList();
        return new Dependents(
                staying, staying.stream().filter(this::mayBeCandidate).collect(Collectors.toSet()));
    }

    boolean mayAct() {
        return available && (resolver == null || !resolver.isStopped());
    }

    /** Whether the loss of a member is not decided yet. */
    boolean isUndecided() {
        return resolver != null && resolver.isUndecided();
    }

    /**
     * The difference between the options by which this node decides and those of the cluster; null if there is none.
     */
    @Nullable
    String difference() {
        return resolver == null ? null : resolver.misfit();
    }

    /** The arbiter's leases that this node may give back when it leaves: none while it is not alone, or undecided. */
    List<SplitCommand.ReleaseArbiter> ownArbiterLeases() {
        return resolver == null || members.size() > 1 || resolver.isUndecided() ? List.of() : resolver.ownOnly();
    }

    /**
     * The view as the election wants it. A member that has the record is a candidate also while its attributes are not
     * known yet. A Vert.x without sharding has neither: each candidate that never claims would delay the next one.
     */
    ElectionView electionView() {
        List<NodeId> candidates = members.stream().filter(this::mayBeCandidate).toList();
        return new ElectionView(members, candidates, mayAct(), isDenied());
    }

    private boolean mayBeCandidate(NodeId node) {
        PeerAttributes said = attributes.get(node);
        return !peers.status(node).isDeparting() && (said == null ? takesPart(node) : said.mayCoordinate());
    }

    /** Whether a member shards, as far as that is known. One that has the term record may have ended its sharding. */
    private boolean takesPart(NodeId node) {
        boolean mayHaveBegun = counted == null || counted.contains(node);
        return attributes.containsKey(node) || node.equals(setup.self()) || mayHaveBegun && !silent.contains(node);
    }

    /** Time passed; whether a member is no candidate any more, as it has said nothing of itself for long. */
    boolean tick() {
        resolve(found -> found.tick(turn.now()));
        return silent.tick(turn.now());
    }

    /** These nodes have the term record in their caches. */
    void counted(Set<NodeId> nodes) {
        counted = Set.copyOf(nodes);
    }

    void viewChanged(List<NodeId> next, boolean isAvailable, boolean merged) {
        members = List.copyOf(next);
        silent.look(members, attributes.keySet(), turn.now());
        deadTooLate.removeAll(members);
        available = isAvailable;
        viewFollows = true;
        compare(merged);
        met |= merged && stopped != null;
        excuseTheLate();
        viewFollows = false;
    }

    void attributesChanged(Map<NodeId, PeerAttributes> next) {
        attributes = Map.copyOf(next);
        silent.look(members, attributes.keySet(), turn.now());
        compare(false);
    }

    private void compare(boolean merged) {
        List<SplitMember> present = members.stream().map(this::splitMember).toList();
        resolve(found -> found.viewChanged(present, available, merged, turn.now()));
    }

    private SplitMember splitMember(NodeId node) {
        PeerAttributes said = attributes.get(node);
        SplitMember.Status status = peers.status(node).isDeparting()
                ? SplitMember.Status.DEPARTING
                : said == null ? SplitMember.Status.JOINING : SplitMember.Status.UP;
        return said == null
                ? new SplitMember(node, Set.of(), status, null)
                : new SplitMember(node, said.roles(), status, said.options());
    }

    /** Postpones deadlines by so many milliseconds: the clock gained them, and they may not have passed. */
    void timeDoubted(long gained) {
        if (resolver != null) {
            resolver.timeDoubted(gained);
            deaths.postpone(gained);
            awaitingSince += awaitingSince == NOT_AWAITING ? 0 : gained;
        }
    }

    /** Gives the resolver an event, if there is one, and draws the consequences. */
    void resolve(Function<SplitResolver, List<SplitCommand>> event) {
        if (resolver == null) {
            return;
        }
        for (SplitCommand command : event.apply(resolver)) {
            turn.add(new NodeCommand.Decided(command));
            command.accept(this);
        }
        forgetTheDead(resolver);
        lookForThoseLeftBehind(resolver);
        if (resolver.mayCoordinate() != stands) {
            stands = resolver.mayCoordinate();
            effects.mayCoordinate(stands);
        }
    }

    /** This side goes on: nodes that died meanwhile are neither awaited nor left behind. */
    private void forgetTheDead(SplitResolver of) {
        if (stopped == null && !of.isUndecided() && !deadTooLate.isEmpty()) {
            List<NodeId> dead = List.copyOf(deadTooLate);
            deadTooLate.clear();
            dead.forEach(node -> {
                turn.add(new NodeCommand.Excuse(node));
                resolve(found -> found.excused(node, turn.now()));
            });
        }
    }

    private void lookForThoseLeftBehind(SplitResolver of) {
        boolean awaited = awaitingSince != NOT_AWAITING;
        if (of.awaitsThoseLeftBehind() != awaited) {
            awaitingSince = awaited ? NOT_AWAITING : turn.now();
            effects.permissionChanged(mayAct(), viewFollows);
        }
    }

    @Override
    public void hold(SplitCommand.Hold command) {
        effects.undecided(true);
    }

    @Override
    public void goOn(SplitCommand.GoOn command) {
        effects.undecided(false);
    }

    @Override
    public void stop(SplitCommand.Stop command) {
        // the other way round the election would claim or confirm once more
        stopped("split brain, " + setup.splitBrain() + ": this side " + members + " stops, without " + command.lost()
                + ": " + command.reason());
        effects.undecided(false);
    }

    @Override
    public void rejoin(SplitCommand.Rejoin command) {
        effects.undecided(false);
        if (command.stopped() && command.deaths() && setup.minorityMayGoOn()) {
            effects.recordMayBeOld();
        }
        if (command.stopped()) {
            stopped(null);
        }
    }

    private void stopped(@Nullable String reason) {
        stopped = reason;
        foundedInVain = false;
        met = false;
        if (reason == null) {
            awaitingSince = NOT_AWAITING;
            deadTooLate.clear();
        }
        effects.permissionChanged(reason == null, viewFollows);
    }

    @Override
    public void readRecord(SplitCommand.ReadRecord command) {
        // done by the owner of the machine, as are the next four
    }

    @Override
    public void giveUpCaches(SplitCommand.GiveUpCaches command) {}

    @Override
    public void askArbiter(SplitCommand.AskArbiter command) {}

    @Override
    public void releaseArbiter(SplitCommand.ReleaseArbiter command) {}

    @Override
    public void warn(SplitCommand.Warn command) {}
}
