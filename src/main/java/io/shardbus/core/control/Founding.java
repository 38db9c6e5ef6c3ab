package io.shardbus.core.control;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.NodeMessage.SeatAnswered;
import io.shardbus.core.protocol.NodeMessage.SeatsAsked;
import io.shardbus.model.Charter;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One node's part in founding a cluster and in continuing one, which must not both be possible.
 *
 * <p>Continuing: only a process that holds a seat and that the record enrols claims a term. Every write of the record
 * enrols the present members that have the caches. So a process that has just started can claim once an enrolled
 * process has written the record with it.
 *
 * <p>Founding: a candidate asks all members in three rounds: are you there (LOOK); will you take no part in another
 * founding for now (PLEDGE); do you agree for good (HOLD)? The cluster is founded when every seat that may be occupied
 * has agreed in each round; a seat counts as vacant only by proof. A process that has agreed for good claims nothing in
 * a cluster that was founded before.
 *
 * <p>Why two clusters are impossible: when the last round ends, each seat's process is bound to this founding, or there
 * is none. A process that starts later is enrolled elsewhere only by an enrolled process that is not bound; that one
 * started later, too, and so on: there is no first one. Authority and leases elsewhere were granted before that moment,
 * and end within the lease that the founder waits for.
 */
final class Founding {
    /** The rounds of an attempt. */
    static final int LOOK = 0;

    static final int PLEDGE = 1;
    static final int HOLD = 2;

    private static final int NONE = -1;
    private static final long NEVER = Long.MAX_VALUE;

    /** A merge may take so many leases until all members can use the record. */
    private static final int LEASES_BEFORE_REVIVAL = 2;

    private final NodeId self;
    private final Seats seats;
    private final LeaseTimes times;
    /** Since when the record is denied to this side, or since it met another one. */
    private long deniedSince = NEVER;

    private ElectionView view = ElectionView.EMPTY;
    /** Nodes that have the record in their caches; null if every member has. */
    private @Nullable Set<NodeId> counted;

    /** Two sides have met, and the enrolled members may be the smaller part of their cluster. */
    private boolean regrouping;
    /**
     * This side was cut off, and processes that had just started made its caches available: its record may win over a
     * newer one.
     */
    private boolean outdated;
    /** Nodes that are dead may have reigned since the record. */
    private boolean overtaken;

    private TermId attempt = TermId.NONE;
    private int round = NONE;
    private long startedAt;
    private final Map<NodeId, SeatAnswered> answers = new HashMap<>();
    private @Nullable Set<String> occupied;
    private boolean completed;
    private long completedAt;
    private boolean fresh;
    /** Whether each round has seen every process that lives. */
    private boolean complete;

    private String missingCondition = "";

    /** The founding to which this node pledges its seat, until the pledge ends or the last round makes it final. */
    private TermId pledge = TermId.NONE;

    private @Nullable NodeId pledgedTo;
    private long pledgedAt;
    private TermId allegiance = TermId.NONE;
    /** The founding that got the seat while the record was denied to this side, until it is granted again. */
    private TermId revival = TermId.NONE;

    Founding(NodeId self, Seats seats, LeaseTimes times) {
        this.self = self;
        this.seats = seats;
        this.times = times;
    }

    /**
     * The members changed: earlier answers do not count. The wait for a merge goes on: a process that joins or leaves
     * brings no record, and a process in a crash loop would delay the revival without end.
     */
    void viewChanged(ElectionView next, boolean merged, long now) {
        if (!next.members().equals(view.members())) {
            giveUp();
        }
        if (!next.denied()) {
            deniedSince = NEVER;
            revival = TermId.NONE;
        } else if (merged || deniedSince == NEVER) {
            deniedSince = now;
        }
        view = next;
        regrouping |= merged;
    }

    /** Only these have the record in their caches. */
    void counted(Set<NodeId> nodes) {
        counted = Set.copyOf(nodes);
    }

    /**
     * The charter with the members whose absence denies the caches to a side. A member without the caches is not
     * enrolled: if all nodes that are missing from the caches have said goodbye, a side takes its caches back without
     * that member, which could otherwise continue the cluster on the other side.
     */
    @Nullable
    Charter enrolling(@Nullable Charter charter) {
        if (charter == null) {
            return null;
        }
        Set<NodeId> enrolled = new TreeSet<>(view.members());
        if (counted != null) {
            enrolled.retainAll(counted);
        }
        enrolled.add(self);
        return charter.with(enrolled);
    }

    /** This node's reign has begun. */
    void begun() {
        regrouping = false;
        outdated = false;
        overtaken = false;
    }

    /** The record is another one than was read before: a member has confirmed it, or has claimed a higher term. */
    void changed(@Nullable TermRecord before, @Nullable TermRecord found) {
        if (before != null && found != null && view.members().contains(found.owner())) {
            regrouping = false;
            outdated = false;
            overtaken &= !found.termId().isHigherThan(before.termId());
        }
    }

    /** Looks at the record as this side has it. */
    void look(@Nullable TermRecord record, Set<NodeId> departed) {
        Charter charter = record == null ? null : record.charter();
        boolean minority = charter != null && !hasMajority(charter.enrolled(), departed);
        outdated |= regrouping && view.available() && minority;
    }

    /** Other nodes may have reigned by a record that this side never saw. */
    void overtaken() {
        overtaken = true;
    }

    /** Whether others may have reigned since the record that this side has. */
    boolean mayBeOutdated() {
        return outdated || overtaken;
    }

    /** Whether the record must carry a charter; not for a cluster within this process or on a host of its own. */
    boolean isNeeded() {
        return seats.kind() != Seats.Kind.ALONE;
    }

    /** The clock gained time that may not have passed. */
    void postpone(long millis) {
        rest();
        deniedSince = deniedSince == NEVER ? NEVER : deniedSince + millis;
    }

    /**
     * Whether the missing nodes are not awaited any more: for this process the cluster has ended, and it may take part
     * in a founding that gives the record back to this side. A founding takes all seats, so it fails while one of them
     * may go on elsewhere.
     */
    boolean hasClusterEnded(long now) {
        return isNeeded() && deniedSince != NEVER && now >= deniedSince + LEASES_BEFORE_REVIVAL * times.lease();
    }

    /** Whether this node may try now to give the record back to this side. */
    boolean mayRevive(long now) {
        return mayFound() && hasClusterEnded(now - view.rank(self) * times.lease() / 4);
    }

    /**
     * The founding by which the record is to be given back to this side, once; the cluster is founded when it can be
     * used.
     */
    Optional<TermId> revival(long now) {
        Optional<TermId> agreed = hasClusterEnded(now) ? completed(now) : Optional.empty();
        if (agreed.isPresent()) {
            rest();
            deniedSince = now;
        }
        return agreed;
    }

    /**
     * Whether a member writes this record of a cluster that has been founded anew, with this process's seat, while the
     * record was denied to this side. An earlier founding proves nothing about what has happened since.
     */
    boolean isRevivedBy(TermRecord record) {
        Charter charter = record.charter();
        return charter != null
                && !revival.equals(TermId.NONE)
                && revival.equals(charter.founding())
                && view.members().contains(record.owner());
    }

    /** Whether this process may claim the next term of the cluster that the record is of. */
    boolean mayGoOn(@Nullable TermRecord record, Set<NodeId> departed, long now) {
        if (!isNeeded()) {
            return true;
        }
        if (hasClusterEnded(now)) {
            return false;
        }
        Charter charter = record == null ? null : record.charter();
        return charter != null
                && seats.fits(charter.seats())
                && seats.holdsOneOf(charter)
                && charter.enrolled().contains(self)
                && !isPledged(now)
                && (allegiance.equals(TermId.NONE) || allegiance.equals(charter.founding()))
                && (!regrouping || hasMajority(charter.enrolled(), departed));
    }

    /** Whether the members are a majority of the enrolled processes: those that joined after a cut do not count. */
    private boolean hasMajority(Set<NodeId> enrolled, Set<NodeId> departed) {
        Set<NodeId> expected = new TreeSet<>(enrolled);
        expected.removeAll(departed);
        expected.addAll(view.members().stream().filter(enrolled::contains).toList());
        long present = expected.stream().filter(view.members()::contains).count();
        return 2 * present > expected.size();
    }

    /** The reason why this node does not fit the cluster of the record; empty if it fits. */
    Optional<String> misfit(@Nullable TermRecord record) {
        Charter charter = record == null ? null : record.charter();
        if (!isNeeded() || charter == null || seats.fits(charter.seats())) {
            return Optional.empty();
        }
        return Optional.of("the cluster has the seats " + charter.seats() + ", this node is configured for "
                + seats.names() + ": configure the same seats on all nodes");
    }

    // the candidate

    /** Whether this process may try to found a cluster. */
    boolean mayFound() {
        return seats.mayFound();
    }

    /**
     * Goes on with the present attempt, or begins another one.
     *
     * @param lowest an attempt has this number at least, and a greater one than the last
     */
    void seek(long lowest, long incarnation, boolean isFresh, long now, List<ElectionCommand> commands) {
        boolean over = round == NONE || now >= startedAt + patience();
        if (over && isFreeFor(self, now)) {
            missingCondition = round == NONE || completed ? missingCondition : describe();
            giveUp();
            attempt = new TermId(Math.max(lowest, attempt.number() + 1), incarnation);
            startedAt = now;
            fresh = isFresh;
            complete = true;
            ask(LOOK, commands);
        }
    }

    private long patience() {
        return times.lease() / 4;
    }

    private void giveUp() {
        round = NONE;
        completed = false;
    }

    /** There is nothing to found. */
    void rest() {
        giveUp();
        missingCondition = "";
    }

    private void ask(int next, List<ElectionCommand> commands) {
        round = next;
        answers.clear();
        occupied = null;
        commands.add(new ElectionCommand.AskSeats(new SeatsAsked(self, attempt, round, seats.names())));
    }

    /** A member's answer. */
    void answered(SeatAnswered answer, boolean canPledge, long now, List<ElectionCommand> commands) {
        if (isOfThisRound(answer.attempt(), answer.round()) && view.members().contains(answer.node())) {
            answers.put(answer.node(), answer);
            lookForCompletion(canPledge, now, commands);
        }
    }

    /** The seats that a process may hold: seats that are proven vacant are not among them. */
    void probed(
            TermId ofAttempt,
            int ofRound,
            Set<String> found,
            boolean sawAll,
            boolean canPledge,
            long now,
            List<ElectionCommand> commands) {
        if (isOfThisRound(ofAttempt, ofRound)) {
            occupied = Set.copyOf(found);
            complete &= sawAll;
            lookForCompletion(canPledge, now, commands);
        }
    }

    private boolean isOfThisRound(TermId ofAttempt, int ofRound) {
        return ofAttempt.equals(attempt) && ofRound == round;
    }

    private void lookForCompletion(boolean canPledge, long now, List<ElectionCommand> commands) {
        if (completed || occupied == null || !missing().isEmpty() || !canPledge) {
            return;
        }
        if (round == LOOK && isFreeFor(self, now)) {
            pledge = attempt;
            pledgedTo = self;
            pledgedAt = now;
            ask(PLEDGE, commands);
        } else if (pledge.equals(attempt) && round == PLEDGE) {
            bind(attempt, now);
            ask(HOLD, commands);
        } else if (allegiance.equals(attempt)) {
            completed = true;
            completedAt = now;
            fresh &= answers.values().stream().allMatch(SeatAnswered::fresh);
        }
    }

    /** The seats that may be occupied and have not answered in this round. */
    Set<String> missing() {
        Set<String> given = answers.values().stream()
                .filter(SeatAnswered::given)
                .map(SeatAnswered::seat)
                .collect(Collectors.toSet());
        given.remove(seats.own());
        // the others may not count a process that the list omits as a seat: that their seats are vacant proves nothing
        // for it
        boolean proves = occupied != null && !(seats.ownAdded() && given.isEmpty());
        Set<String> missing = new TreeSet<>(proves ? occupied : seats.names());
        missing.remove(seats.own());
        missing.removeAll(given);
        return missing;
    }

    /** The missing condition of the last attempt to found the cluster, for operators; empty if there is none. */
    Optional<String> waiting() {
        return missingCondition.isEmpty() ? Optional.empty() : Optional.of(missingCondition);
    }

    private String describe() {
        Set<String> absent = missing();
        List<String> others = new ArrayList<>();
        for (SeatAnswered answer : answers.values()) {
            absent.remove(answer.seat());
            if (!answer.seat().isEmpty()
                    && !seats.fits(answer.seats())
                    && !answer.seats().containsAll(seats.names())) {
                others.add(answer.node() + " is configured for the seats " + answer.seats());
            }
        }
        String waits = absent.isEmpty()
                ? ""
                : "the cluster is not founded before its seats " + absent + " are here, of "
                        + (seats.kind() == Seats.Kind.HOST ? "this host" : seats.names());
        return waits + (waits.isEmpty() || others.isEmpty() ? "" : "; ") + String.join(", ", others);
    }

    /** The attempt that all seats hold to, if it may be used now. */
    Optional<TermId> completed(long now) {
        boolean usable = completed && now < startedAt + patience() && allegiance.equals(attempt);
        return usable ? Optional.of(attempt) : Optional.empty();
    }

    /**
     * The moment after which no other cluster gets authority: leases that were granted before it end a lease later.
     *
     * @param processStart when this process began
     */
    long heldSince(long processStart) {
        if (seats.kind() != Seats.Kind.HOST || !fresh) {
            return completedAt;
        }
        // Every process of the host has answered that it never heard of a term: the leases of others ended with their
        // processes. Where every process that lives was seen, these have ended, and nothing is left to wait for.
        return complete ? completedAt - times.runOut() : Math.min(completedAt, processStart);
    }

    Charter charter(TermId founding, List<NodeId> members) {
        return new Charter(founding, seats.names(), Set.copyOf(members));
    }

    // the seat that is asked

    /** @param canGive whether this process neither reigns nor may carry its own cluster on */
    SeatAnswered answer(SeatsAsked asked, boolean canGive, boolean isFresh, long now) {
        boolean fits = seats.names().equals(asked.seats()) && view.members().contains(asked.node());
        boolean allowed = view.available() || hasClusterEnded(now);
        boolean free = canGive && fits && allowed && !seats.own().isEmpty() && !outranks(asked.node());
        boolean given = switch (asked.round()) {
            case LOOK -> free;
            case PLEDGE -> free && pledge(asked, now);
            case HOLD -> free && hold(asked, now);
            default -> false;
        };
        return new SeatAnswered(self, asked.attempt(), asked.round(), seats.own(), given, isFresh, seats.names());
    }

    /**
     * Whether this candidate keeps its seat from another one: of two candidates the first one in the view goes on, or
     * each could keep the seats from the other for ever. A candidate that is in its first round keeps no seat: it may
     * lack a seat that the other one has.
     */
    private boolean outranks(NodeId candidate) {
        return round > LOOK && view.rank(self) < view.rank(candidate);
    }

    private boolean pledge(SeatsAsked asked, long now) {
        NodeId other = isPledged(now) ? pledgedTo : null;
        if (other != null
                && !other.equals(asked.node())
                && (allegiance.equals(pledge) || view.rank(other) < view.rank(asked.node()))) {
            return false;
        }
        if (!asked.node().equals(self)) {
            giveUp();
        }
        pledge = asked.attempt();
        pledgedTo = asked.node();
        pledgedAt = now;
        return true;
    }

    private boolean hold(SeatsAsked asked, long now) {
        boolean holds = isPledged(now) && pledge.equals(asked.attempt());
        if (holds) {
            bind(asked.attempt(), now);
        }
        return holds;
    }

    private void bind(TermId founding, long now) {
        allegiance = founding;
        revival = hasClusterEnded(now) ? founding : TermId.NONE;
    }

    private boolean isFreeFor(NodeId candidate, long now) {
        return !isPledged(now) || candidate.equals(pledgedTo);
    }

    /** A pledge ends by itself, and with its candidate: then the last round is refused. */
    boolean isPledged(long now) {
        boolean lasts = now < pledgedAt + times.lease() / 2
                && pledgedTo != null
                && view.members().contains(pledgedTo);
        if (!lasts) {
            pledge = TermId.NONE;
            pledgedTo = null;
        }
        return lasts;
    }
}
