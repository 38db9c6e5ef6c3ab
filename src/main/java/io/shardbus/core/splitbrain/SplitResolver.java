package io.shardbus.core.splitbrain;

import io.shardbus.core.splitbrain.SplitCommand.AskArbiter;
import io.shardbus.core.splitbrain.SplitCommand.ReleaseArbiter;
import io.shardbus.model.NodeId;
import io.shardbus.model.SafetyOptions;
import io.shardbus.model.SplitDecision;
import io.shardbus.model.SplitMember;
import io.shardbus.model.SplitSnapshot;
import io.shardbus.model.TermRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One node's decisions about splits: it remembers the members before a loss, waits until membership is stable, and then
 * asks its strategy, and the arbiter if the strategy says so. Every node of a side decides by itself, and all decide
 * alike.
 *
 * <pre>{@code
 *          loss              settled              answer
 * WHOLE ---------> UNDECIDED ---------> ASKING ------------+
 *   ^                  |  settled          | refused       | granted
 *   | all are back,    v                   v               v
 *   +------------- STOPPED <---------------+    GOING_ON until the caches are available, then WHOLE
 * }</pre>
 *
 * Single owner: every method is an event at a moment {@code now} (elapsed milliseconds) and returns commands.
 */
public final class SplitResolver {
    private static final String DIFFERENT =
            "the cluster's caches are denied to this side, and not all members are known to"
                    + " have the same options: no side goes on without the majority then";
    private static final long NEVER = Long.MIN_VALUE / 2;

    private enum Step {
        WHOLE,
        UNDECIDED,
        ASKING,
        GOING_ON,
        STOPPED
    }

    private final NodeId self;
    private final SplitStrategy strategy;
    private final SplitTimes times;
    private final LeaseStamps lease;
    private final ArbiterRequests requests;
    private final Agreement agreement;
    private final List<SplitCommand> commands = new ArrayList<>();
    private final SideMembers members = new SideMembers();
    private final LeftBehind leftBehind = new LeftBehind();
    private final RecordReadings readings;

    private Set<NodeId> lost = Set.of();
    private boolean available;
    private Step step = Step.WHOLE;
    private boolean objected;
    /** Whether this side, while stopped, has met a lost node again, or another side. */
    private boolean hasMetOthers;

    /** Signs of a reign since this side, stopped, met another one. */
    private final LiveReign reign = new LiveReign();

    private long since;
    private long changedAt = NEVER;
    private boolean settling;
    private long lastEvent = NEVER;
    private long pausedAt = NEVER;

    public SplitResolver(NodeId self, SplitStrategy strategy, SplitTimes times) {
        this(self, strategy, times, SafetyOptions.NONE);
    }

    /** @param own options by which this node decides; other members publish theirs */
    public SplitResolver(NodeId self, SplitStrategy strategy, SplitTimes times, SafetyOptions own) {
        this.agreement = new Agreement(self, own, times.together());
        this.self = self;
        this.strategy = strategy;
        this.times = times;
        this.lease = new LeaseStamps(times.releaseAfter());
        this.requests = new ArbiterRequests(self, times.answer());
        this.readings = new RecordReadings(times);
    }

    /** Whether this side has decided to stop. */
    public boolean isStopped() {
        return step == Step.STOPPED;
    }

    /** Whether the strategy is safe only for one clean cut. */
    public boolean isForOneCut() {
        return strategy.isForOneCut();
    }

    /** The lost members, as far as this node knows. */
    public Set<NodeId> lost() {
        return Set.copyOf(lost);
    }

    /** The nodes without which this side went on earlier, and which have not come back since. */
    public Set<NodeId> leftBehind() {
        return leftBehind.all();
    }

    /** The nodes without which this side went on, or may: what members that never saw them are to know. */
    public Set<NodeId> goesOnWithout() {
        return leftBehind.latestWith(lost);
    }

    /**
     * A member says that its side, now also this node's, went on without these nodes, or may. If the members that saw
     * the loss die, these nodes may live on with others that this node never saw.
     *
     * @param all whether the coordinator says so: its list replaces earlier ones
     */
    public List<SplitCommand> told(Set<NodeId> missing, boolean all, long now) {
        enter(now);
        leftBehind.tell(missing, all);
        leftBehind.remove(self);
        forgetPresent();
        return leave(now);
    }

    /**
     * Whether this node may coordinate, because it decides by the same options as the cluster; false until that is
     * known.
     */
    public boolean mayCoordinate() {
        return agreement.isSettledOnOwn();
    }

    /** The option that this node must change to decide as the others do; null if none. */
    public @Nullable String misfit() {
        return agreement.misfit();
    }

    /**
     * Whether this side has the caches, and its lost members are dead, but it stays stopped as nodes that it left
     * behind earlier may have gone on with them. If the caches decide, some of the lost may still be missing: the side
     * does not decide before the left-behind nodes are known to be gone.
     */
    public boolean awaitsThoseLeftBehind() {
        return available && mayHaveBeenReplaced() && (lost.isEmpty() || !strategy.overridesMajority());
    }

    /**
     * All seats hold to a founding with this side, so the nodes that it left behind are in no cluster that goes on. If
     * some of the lost are missing, this side decides now.
     */
    public List<SplitCommand> founded(long now) {
        enter(now);
        leftBehind.clear();
        compare(false, false, now);
        return leave(now);
    }

    /** Whether a loss is not decided yet. */
    public boolean isUndecided() {
        return step == Step.UNDECIDED || step == Step.ASKING;
    }

    /**
     * Members came or went, or are known better, or the caches became available or not.
     *
     * @param view the members, the oldest first; one that departs is excused when it goes
     * @param isAvailable whether the caches may be used on this side
     * @param merged whether two parts of the cluster have just become one
     */
    public List<SplitCommand> viewChanged(List<SplitMember> view, boolean isAvailable, boolean merged, long now) {
        enter(now);
        if (members.seen(view)) {
            reign.memberGone();
        }
        boolean turned = available != isAvailable;
        available = isAvailable;
        compare(turned, merged, now);
        return leave(now);
    }

    /** The node left in good order, or is proven to be dead: its absence splits nothing. */
    public List<SplitCommand> excused(NodeId node, long now) {
        enter(now);
        boolean wasLeftBehind = leftBehind.remove(node);
        if (members.excuse(node) || wasLeftBehind) {
            compare(false, false, now);
        }
        return leave(now);
    }

    /** The arbiter's answer. */
    public List<SplitCommand> arbiterAnswered(AskArbiter asking, boolean granted, long now) {
        enter(now);
        if (granted) {
            // also if this node does not need it any more: other nodes of its side may go on by the same lease
            lease.granted(asking, now);
        }
        boolean counts = step == Step.ASKING && requests.awaits(asking);
        if (counts && !granted) {
            stop("the arbiter did not let this side go on");
        } else if (counts && !requests.isOver(now)) {
            goOn("the arbiter lets this side go on");
        }
        return leave(now);
    }

    /**
     * The arbiter failed, or took too long: this side may have the lease or not. The arbiter is asked again while its
     * answer may count.
     */
    public List<SplitCommand> arbiterFailed(AskArbiter asking, long now) {
        enter(now);
        lease.mayBeTaken(asking, now);
        if (step == Step.ASKING && requests.awaits(asking)) {
            requests.failed(now);
        }
        return leave(now);
    }

    /**
     * Other members of this side ask in the same name, may have been let go on, and need the caches for it. The look at
     * the records gives the caches up if none of them has. A node that is alone gives them up at once.
     */
    private void stopUnanswered() {
        String reason = "the arbiter has not answered in time whether this side may go on";
        if (members.present().size() > 1) {
            stop(reason, false);
        } else {
            stop(reason);
        }
    }

    /** @param stamp that the lease bears now, null if the owner does not have it any more */
    public List<SplitCommand> arbiterReleased(ReleaseArbiter released, @Nullable String stamp, long now) {
        enter(now);
        lease.answered(released, stamp, now);
        return leave(now);
    }

    /**
     * Leases of the arbiter that only this node can use; they need not be kept, even if they were taken a moment ago.
     */
    public List<ReleaseArbiter> ownOnly() {
        return lease.ownOnly();
    }

    /**
     * Postpones each wait by so many milliseconds: the clock gained them before the next event, and they may not
     * have passed.
     */
    public void timeDoubted(long gained) {
        since += gained;
        changedAt = later(changedAt, gained);
        pausedAt = later(pausedAt, gained);
        requests.postpone(gained);
        readings.postpone(gained);
        agreement.postpone(gained);
        lease.postpone(gained);
    }

    private static long later(long moment, long millis) {
        return moment == NEVER ? NEVER : moment + millis;
    }

    /**
     * A replica of the term record showed a write. If this side has stopped, a reign that keeps writing to its caches
     * proves that it has met the side that went on.
     */
    public List<SplitCommand> recordSighted(TermRecord record, long now) {
        enter(now);
        boolean goesOn = reign.sighted(record);
        boolean here = !record.owner().equals(self) && members.isPresent(record.owner());
        if (goesOn && here && step == Step.STOPPED && available && strategy.overridesMajority()) {
            leftBehind.add(lost);
            becomeWhole();
        }
        return leave(now);
    }

    /**
     * The term record was read. If none of the members has gone on since this side's last loss, another side may have.
     * Then every node asks to make the caches unavailable, until they are.
     *
     * @param record null if there is none
     */
    public List<SplitCommand> recordRead(SplitCommand.ReadRecord read, @Nullable TermRecord record, long now) {
        enter(now);
        boolean counts = step == Step.STOPPED && readings.awaits(read);
        boolean lives = record != null
                && (reign.hasGoneOn(record)
                        || reign.isYoung(record, members.present().size()));
        if (counts && !lives) {
            commands.add(new SplitCommand.GiveUpCaches(lost));
        }
        return leave(now);
    }

    /** Time passed. */
    public List<SplitCommand> tick(long now) {
        enter(now);
        return leave(now);
    }

    private void enter(long now) {
        if (lastEvent != NEVER && now - lastEvent >= times.longestPause()) {
            pausedAt = now;
            if (step == Step.ASKING) {
                stopAfterPause();
            }
        }
        lastEvent = now;
    }

    private List<SplitCommand> leave(long now) {
        if (settling && now >= changedAt + times.decision() && !mayHaveBeenReplaced()) {
            settling = false;
            decide(now);
        }
        if (step == Step.ASKING && requests.isOver(now)) {
            stopUnanswered();
        } else if (step == Step.ASKING) {
            // of two nodes the other one is lost; of three, a lost node may have been on this side for a moment, and
            // have asked
            AskArbiter next = requests.due(members.present().get(0).node(), members.numberKnown() > 2, now);
            Stream.ofNullable(next).forEach(commands::add);
        }
        if (step == Step.WHOLE && !members.present().isEmpty()) {
            agreement.whole(members.current(), now);
            agreement.news().map(SplitCommand.Warn::new).ifPresent(commands::add);
        }
        if (step == Step.STOPPED && readings.isDue(now)) {
            Stream.ofNullable(readings.read(agreement.isSettledOnOwn() && !lost.isEmpty(), now))
                    .forEach(commands::add);
        }
        commands.addAll(lease.due(now));
        List<SplitCommand> taken = List.copyOf(commands);
        commands.clear();
        return taken;
    }

    private void compare(boolean turned, boolean merged, long now) {
        Set<NodeId> missing = members.missing();
        boolean changed = turned || !missing.equals(lost);
        meet(merged);
        lost = missing;
        if (missing.isEmpty() && available && !mayHaveBeenReplaced()) {
            becomeWhole();
            return;
        }
        members.addJoining();
        switch (step) {
            case WHOLE -> begin(now);
            case UNDECIDED, ASKING -> restart(changed, now);
            case GOING_ON -> beginIfLost(now);
            case STOPPED -> reconsider(changed, turned || merged, now);
        }
    }

    private void meet(boolean merged) {
        forgetPresent();
        hasMetOthers |= merged || lost.stream().anyMatch(members::isPresent);
    }

    private void forgetPresent() {
        members.present().forEach(member -> leftBehind.remove(member.node()));
    }

    /**
     * Whether nodes that a stopped side lost may have gone on with nodes that were left behind before, and have died
     * since.
     */
    private boolean mayHaveBeenReplaced() {
        return step == Step.STOPPED && members.someAreDead() && !hasMetOthers && !leftBehind.isEmpty();
    }

    private void becomeWhole() {
        if (step != Step.WHOLE && step != Step.GOING_ON) {
            commands.add(new SplitCommand.Rejoin(step == Step.STOPPED, members.someAreDead()));
        }
        step = Step.WHOLE;
        settling = false;
        rebase();
        strategy.objection(snapshot()).filter(text -> !objected).ifPresent(text -> {
            objected = true;
            commands.add(new SplitCommand.Warn(text));
        });
    }

    private void rebase() {
        members.rebase();
        lost = Set.of();
    }

    private void begin(long now) {
        step = Step.UNDECIDED;
        since = now;
        settle(now);
        commands.add(new SplitCommand.Hold(lost));
    }

    private void beginIfLost(long now) {
        if (!lost.isEmpty()) {
            begin(now);
        }
    }

    private void settle(long now) {
        changedAt = now;
        settling = true;
    }

    /**
     * Sides that see different sets of members could both decide to go on. So a side stops if its members change for
     * too long.
     */
    private void restart(boolean changed, long now) {
        if (!changed) {
            return;
        }
        step = Step.UNDECIDED;
        if (now - since >= times.decision() + times.flapping()) {
            stop("members came and went for " + (now - since) + " ms");
            reconsider(true, false, now);
        } else {
            settle(now);
        }
    }

    /**
     * A side that stopped does not go on by its own count: others may have gone on, and have been split again since. If
     * a minority may go on, available caches prove nothing either, as they only count members. The side goes on if a
     * reign keeps writing to them; otherwise it makes them unavailable.
     */
    private void reconsider(boolean changed, boolean met, long now) {
        if (!strategy.overridesMajority()) {
            if (changed) {
                settle(now);
            }
        } else if (met) {
            reign.forget();
            readings.met(maySeeReign(), now);
        } else if (changed) {
            readings.membersChanged(maySeeReign(), now);
        }
    }

    /** Whether a side that stopped can learn from the caches that another one goes on. */
    private boolean maySeeReign() {
        return available && strategy.overridesMajority();
    }

    /** Whether this side may go on though the caches are not available to it. */
    private boolean mayOverride() {
        return strategy.overridesMajority() && agreement.isUnanimous(members.current());
    }

    private void decide(long now) {
        SplitDecision verdict = strategy.decide(snapshot());
        if (verdict != SplitDecision.STOP && !available && !mayOverride()) {
            // without the caches it must not take the arbiter's lease from the other side either
            stop(strategy.overridesMajority() ? DIFFERENT : "the cluster's caches are denied to this side");
            return;
        }
        switch (verdict) {
            case GO_ON -> goOn("the strategy lets this side go on");
            case STOP -> stop("the strategy lets another side go on, or none");
            case ASK_ARBITER -> ask(now, now);
            case ASK_ARBITER_LATER -> ask(now + times.minorityDelay(), now);
        }
    }

    private void ask(long moment, long now) {
        if (now - pausedAt < times.releaseAfter()) {
            // the other side may have had the lease, and have given it back since
            stopAfterPause();
            return;
        }
        step = Step.ASKING;
        requests.begin(moment);
    }

    private void goOn(String reason) {
        if (!available && !mayOverride()) {
            stop(strategy.overridesMajority() ? DIFFERENT : "the cluster's caches are denied to this side");
            return;
        }
        boolean stopped = step == Step.STOPPED;
        leftBehind.add(lost);
        step = available ? Step.WHOLE : Step.GOING_ON;
        settling = false;
        commands.add(new SplitCommand.GoOn(lost, !available, reason));
        rebase();
        if (stopped) {
            commands.add(new SplitCommand.Rejoin(true, false));
        }
    }

    /** This node stops alone: others of its side may have the arbiter's lease, and need the caches to go on. */
    private void stopAfterPause() {
        stop("this node did not run for a while, and must not ask the arbiter", false);
    }

    private void stop(String reason) {
        stop(reason, maySeeReign() && agreement.isSettledOnOwn());
    }

    /** @param yield whether the caches are made unavailable to this side, so that another one may go on */
    private void stop(String reason, boolean yield) {
        boolean already = step == Step.STOPPED;
        hasMetOthers = false;
        reign.forget();
        readings.stopped(maySeeReign(), lastEvent);
        members.forgetDeaths();
        step = Step.STOPPED;
        settling = false;
        if (!already) {
            commands.add(new SplitCommand.Stop(lost, yield, reason));
        }
    }

    private SplitSnapshot snapshot() {
        return new SplitSnapshot(members.current(), lost, available);
    }
}
