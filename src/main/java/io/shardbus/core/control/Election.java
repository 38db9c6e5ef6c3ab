package io.shardbus.core.control;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.NodeMessage.SeatAnswered;
import io.shardbus.core.protocol.NodeMessage.SeatsAsked;
import io.shardbus.model.Charter;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Election of the coordinator, as one node takes part in it: the node watches the term record, claims it when it may,
 * and confirms it while it reigns. Authority comes from a compare-and-set that returned true and lasts a lease time
 * from the moment that write was sent; a read never gives any. One operation on the record is under way at a time.
 *
 * <p>Single owner: every method is an event at a moment {@code now} (elapsed milliseconds) and returns commands.
 */
public final class Election {
    /** Outcome of one operation. */
    public enum Outcome {
        WRITTEN,
        UNEQUAL,
        UNKNOWN
    }

    private final NodeId self;
    private final long incarnation;
    private final boolean mayCoordinate;
    private final Founding founding;
    private final LeaseTimes times;
    /** Latest moment at which leases of an earlier life were granted. */
    private long processStart;

    private final LeaseHolders holders;
    private final ElectionView.UndecidedLoss loss;
    private final HeardTerms heard;
    private final Vacancy vacancy;
    private final RecordOperation operation = new RecordOperation();
    private final List<ElectionCommand> commands = new ArrayList<>();
    private ElectionView view = ElectionView.EMPTY;
    private final TermFloor floor = new TermFloor();
    private final KnownRecord known = new KnownRecord();
    private final OwnClaim claim;
    private boolean resigned;
    private boolean stopping;
    private boolean stands = true;

    /**
     * @param seats the processes that may found a cluster and carry one on
     * @param processStart when this process began, on the clock of {@code now}
     */
    public Election(
            NodeId self, long incarnation, boolean mayCoordinate, Seats seats, LeaseTimes times, long processStart) {
        this.self = self;
        this.incarnation = incarnation;
        this.mayCoordinate = mayCoordinate;
        this.founding = new Founding(self, seats, times);
        this.times = times;
        this.holders = new LeaseHolders(times);
        this.loss = new ElectionView.UndecidedLoss(times);
        this.heard = new HeardTerms(times);
        this.vacancy = new Vacancy(times);
        this.claim = new OwnClaim(times);
        this.processStart = processStart;
    }

    /** How long authority by a write may last, on a clock that is ahead as far as it may be, in milliseconds. */
    long longestLease() {
        LeaseTimes longest = times.orThoseOf(known.record());
        return longest.lease() + 2 * longest.margin();
    }

    /** The possible holders of leases of this node's reign and of those before. */
    public LeaseHolders holders() {
        return holders;
    }

    /**
     * A store refuses tokens of this term and of lower ones: a reign that is not above it ends with the next event.
     *
     * @return false if terms do not follow it: it is more than a day ahead of the wall clock
     */
    boolean exceed(long stored, long now) {
        return floor.raise(stored, known.record(), known.unchangedFor(now));
    }

    /** A side of a split may go on without a majority: to be called before anything else. */
    public void minorityMayGoOn(boolean may) {
        loss.minorityMayGoOn(may);
        vacancy.minorityMayGoOn(may);
    }

    /** Whether this node has authority at this moment. */
    public boolean reigns(long now) {
        return claim.hasAuthority(now);
    }

    /**
     * The membership changed.
     *
     * @param lost whether a member vanished without goodbye
     * @param merged whether two sides met again: a coordinator must begin anew
     */
    public List<ElectionCommand> viewChanged(ElectionView next, boolean lost, boolean merged, long now) {
        view = next;
        founding.viewChanged(next, merged, now);
        if (lost) {
            loss.happened(now);
        }
        if (!next.available()) {
            stepDown("this side of the cluster is not available");
        }
        if (merged) {
            stepDown("two sides of the cluster have merged");
            // what is found now may be older than what another side wrote and lost
            known.seeAnew();
        }
        holders.viewChanged(next.members(), now);
        watchVacancy(now);
        operation.dueAt(now);
        claim.confirmAfter(now);
        return advance(now);
    }

    /**
     * The process of a node that vanished from the view is gone.
     *
     * @param undecided whether the same is not known of all members that vanished
     */
    public List<ElectionCommand> nodeProvenDead(NodeId node, boolean undecided, long now) {
        holders.provenDead(node);
        if (!undecided) {
            loss.explained();
        }
        operation.dueAt(now);
        claim.confirmAfter(now);
        return advance(now);
    }

    /**
     * While a loss is undecided no node claims; a coordinator goes on, for a lease at most if a minority may go on.
     * This takes effect with the next event: the view that ended the loss may bring the lost member back.
     */
    public void lossUndecided(boolean undecided, long now) {
        if (loss.pausesWrites()) {
            operation.dueAt(now);
        }
        loss.hold(undecided, now);
    }

    /**
     * The clock gained time that may not have passed: waits for the end of leases become longer by that time, while
     * authority ends by the clock as it is.
     */
    public List<ElectionCommand> timeDoubted(long gained, long now) {
        stepDown("the clock ran ahead by " + gained + " ms");
        known.seeAnew();
        founding.postpone(gained);
        processStart += gained;
        holders.postpone(gained);
        loss.postpone(gained);
        vacancy.postpone(gained);
        operation.dueAt(now);
        return advance(now);
    }

    /**
     * The whole cluster is about to stop, or goes on after all. While it stops, a record that its owner has released
     * stays vacant for most of a lease: in that time the others leave, and need no coordinator. Nodes that stay longer
     * keep their leases by a new reign.
     */
    public void clusterStops(boolean stops, long now) {
        stopping = stops;
        operation.dueBy(now);
    }

    /**
     * A message carried a term that is higher than all that this node has believed. Answered by
     * {@link ElectionCommand.TermBelieved} or {@link ElectionCommand.TermRefused}, or by neither until the record was
     * read or the term is heard again.
     *
     * @param coordinator which node reigns in it according to the message; null if it does not say
     */
    public List<ElectionCommand> termHeard(TermId term, @Nullable NodeId coordinator, long now) {
        if (heard.hear(term, coordinator, floor.wall(), now) && (claim.isNone() || known.isRead())) {
            operation.dueBy(now);
        }
        return advance(now);
    }

    private void termBegan(TermId term) {
        if (floor.meet(term) && claim.isReign()) {
            stepDown("term " + term.number() + " has begun");
        }
    }

    /** The record was read. */
    public List<ElectionCommand> readCompleted(long number, @Nullable TermRecord found, long now) {
        if (operation.end(number)) {
            observe(found, now);
            if (claim.isVerifying()) {
                verify(found, now);
            } else if (claim.isReign()) {
                compareOwn(found);
            }
        }
        return advance(now);
    }

    /**
     * A replica of the record showed this value. It gives no authority and no reason to claim, as its write may never
     * take hold. If the primary owner shows the same value later, its write was sent before this moment, and no later
     * write of its reign has taken hold. After a merge only values that are sighted after the first read count: an
     * earlier one may be older than the value of the other side.
     */
    public void recordSighted(TermRecord record, long now) {
        known.sight(record, now);
    }

    /** The record could not be read. */
    public List<ElectionCommand> readFailed(long number, long now) {
        if (operation.end(number)) {
            if (claim.isVerifying()) {
                claim.end();
                known.readAgain();
            }
            operation.dueAt(nextRead(known.record(), now));
        }
        return advance(now);
    }

    /** The compare-and-set ended. */
    public List<ElectionCommand> replaceCompleted(long number, Outcome outcome, long now) {
        if (operation.end(number)) {
            if (outcome == Outcome.WRITTEN && !loss.pausesWrites()) {
                writeTookHold(now);
            } else if (claim.isWriting() || (claim.isReign() && outcome != Outcome.WRITTEN)) {
                claim.missed();
                known.readAgain();
                operation.dueAt(now);
            }
        }
        return advance(now);
    }

    public List<ElectionCommand> tick(long now) {
        return advance(now);
    }

    /**
     * A decision needs a confirmation that is sent from now on: the next one is sent at once, not at its interval.
     */
    public List<ElectionCommand> confirmationWanted(long now) {
        if (claim.isReign() && known.isRead()) {
            operation.dueBy(now);
        }
        return advance(now);
    }

    /** Only these nodes have the record in their caches: the next write, which is due now, enrols no other member. */
    public List<ElectionCommand> counted(Set<NodeId> nodes, long now) {
        founding.counted(nodes);
        return confirmationWanted(now);
    }

    /** This node claims nothing before {@link #stand} says that it may. */
    public void standOnlyWhenAsked() {
        stands = false;
    }

    /** Whether this node may coordinate now. A coordinator that may not any more releases the record. */
    public List<ElectionCommand> stand(boolean may, long now) {
        stands = may;
        operation.dueAt(now);
        if (!may && !claim.isNone()) {
            giveUp("this node must not coordinate: its options differ from those of the others", now);
        }
        return advance(now);
    }

    /** Releases the record, so that another node may claim it at once, and claims no more. */
    public List<ElectionCommand> resign(long now) {
        resigned = true;
        giveUp("this node leaves", now);
        return take();
    }

    private void giveUp(String reason, long now) {
        TermRecord own = claim.written();
        boolean reigned = claim.isReign();
        stepDown(reason);
        if (reigned && own != null) {
            replace(own, ownRecord(own.term(), TermRecord.RELEASED, own.holders(), own.charter()), now);
        }
    }

    /** A member wants to found a cluster. */
    public List<ElectionCommand> seatsAsked(SeatsAsked asked, long now) {
        SeatAnswered answer = founding.answer(asked, mayPledge(now), isFresh(), now);
        commands.add(new ElectionCommand.AnswerSeat(asked.node(), answer));
        return advance(now);
    }

    /** A member answers this node, which wants to found a cluster. */
    public List<ElectionCommand> seatAnswered(SeatAnswered answer, long now) {
        founding.answered(answer, mayPledge(now), now, commands);
        return advance(now);
    }

    /**
     * These seats may be held by a process; the others are proven to be vacant.
     *
     * @param complete whether every process of the cluster that lives holds one of these seats
     */
    public List<ElectionCommand> seatsProbed(
            TermId attempt, int round, Set<String> occupied, boolean complete, long now) {
        founding.probed(attempt, round, occupied, complete, mayPledge(now), now, commands);
        return advance(now);
    }

    /**
     * Whether a member wrote this record of a cluster that all seats founded anew while the record was denied to this
     * side.
     */
    boolean isRevivedBy(TermRecord record) {
        return founding.isRevivedBy(record);
    }

    /** The reason why this node has not founded a cluster yet, for operators; empty if it does not try. */
    public Optional<String> foundingWaits() {
        return claim.isNone() ? founding.waiting() : Optional.empty();
    }

    /** The reason why this node does not fit the cluster that it has met, for operators; empty if it fits. */
    public Optional<String> misfit() {
        return founding.misfit(known.record());
    }

    /** Nodes that are dead may have reigned since the record: the next term is one that they cannot have reached. */
    void recordMayBeOld() {
        founding.overtaken();
        // a write that was under way when this side stopped is no sign of a reign since
        known.seeAnew();
    }

    /**
     * Whether this process may give its seat to another that founds a cluster: it reigns in none and could claim none.
     */
    private boolean mayPledge(long now) {
        return claim.isNone() && (resigned || !mayCoordinate || !stands || !mayCarryOn(now));
    }

    private boolean mayCarryOn(long now) {
        return founding.mayGoOn(known.record(), holders.farewells().keySet(), now);
    }

    private boolean isFresh() {
        return floor.met().equals(TermId.NONE) && known.record() == null;
    }

    private List<ElectionCommand> advance(long now) {
        ElectionCommand told = heard.take();
        if (told instanceof ElectionCommand.TermBelieved believed) {
            termBegan(believed.term());
        }
        if (claim.isReign() && !reigns(now)) {
            stepDown("the term could not be confirmed for " + times.lease() + " ms");
        }
        if (claim.isReign() && floor.isAbove(claim.term().number())) {
            stepDown("a store has a higher term: the next one rises above it");
            operation.dueAt(now);
        }
        seekSeats(now);
        // On a side that may not decide the record can be neither read nor written.
        if (operation.isDue(now) && !resigned && view.available() && !loss.pausesWrites()) {
            nextStep(now);
        }
        if (told != null) {
            // last: a reign ends before the regions of its node register with the next one
            commands.add(told);
        }
        return take();
    }

    private void nextStep(long now) {
        TermRecord own = claim.written();
        if (claim.isReign() && known.isRead() && own != null) {
            replace(own, ownRecord(own.term(), claim.nextBeat(), holders.next(now), own.charter()), now);
        } else if (claim.isNone() && known.isRead() && mayClaim(now)) {
            claim(now);
        } else if (claim.isNone() && known.isRead() && isDue(now) && foundingIsComplete(now)) {
            found(now);
        } else {
            commands.add(new ElectionCommand.Read(operation.begin(now)));
        }
    }

    /**
     * Number of the first term of a cluster whose last terms may be missing in the record: the wall clock bounds what
     * they can have reached.
     */
    private long firstTerm(long now) {
        return floor.next(known.record(), known.unchangedFor(now), true, now);
    }

    private void claim(long now) {
        TermRecord before = known.record();
        // after a merge the older record may have won: then the last coordinator that granted leases is not known
        boolean outdated = founding.isNeeded()
                && (founding.mayBeOutdated() || before != null && floor.met().isHigherThan(before.termId()));
        OwnClaim.Predecessor predecessor = before == null || outdated ? OwnClaim.Predecessor.UNKNOWN : reignOf(before);
        // without a record, its last owner may have granted leases until now
        long unseen = floor.met().equals(TermId.NONE) ? Math.min(now, processStart) : now;
        long told = before == null ? unseen : outdated ? now : known.since();
        claim.begin(predecessor, Math.max(loss.othersWroteUntil(before), told));
        known.claimed();
        Set<NodeId> next =
                outdated ? holders.found(before, view.members(), now) : holders.claim(before, view.members(), now);
        long term = outdated ? firstTerm(now) : floor.next(before, known.unchangedFor(now), false, now);
        replace(before, ownRecord(term, 0, next, before == null ? null : before.charter()), now);
    }

    /** The last reign by the record. After a merge one of the other side may have followed that it does not show. */
    private OwnClaim.Predecessor reignOf(TermRecord record) {
        if (known.isDoubted()) {
            return OwnClaim.Predecessor.of(record);
        }
        OwnClaim.Predecessor last = claim.lastReign(record);
        // a release does not take hold where the owner's last confirmation was under way
        boolean hasLeft = last.term().equals(record.termId()) && holders.hasLeft(record.owner());
        return hasLeft ? new OwnClaim.Predecessor(last.term(), record.owner()) : last;
    }

    /**
     * Claims the first term of a new cluster, also over the record of an earlier one. Leases that were granted
     * elsewhere are not known here: they have expired a lease after the last seat agreed.
     */
    private void found(long now) {
        TermRecord before = known.record();
        TermId attempt = founding.completed(now).orElseThrow();
        long seen = Math.max(loss.othersWroteUntil(before), founding.heldSince(processStart));
        claim.begin(OwnClaim.Predecessor.UNKNOWN, seen);
        known.claimed();
        Set<NodeId> next = holders.found(before, view.members(), now);
        // not the attempt's number: the clock may have been corrected since
        replace(before, ownRecord(firstTerm(now), 0, next, founding.charter(attempt, view.members())), now);
    }

    private TermRecord ownRecord(long term, long beat, @Nullable Set<NodeId> leaseHolders, @Nullable Charter charter) {
        Charter enrolling = founding.enrolling(charter);
        return new TermRecord(term, self, incarnation, beat, holders.leaseMillis(), leaseHolders, enrolling);
    }

    private boolean foundingIsComplete(long now) {
        return founding.completed(now).isPresent();
    }

    /** Tries to found a cluster when this node might claim but cannot continue the present one. */
    private void seekSeats(long now) {
        founding.look(known.record(), holders.farewells().keySet());
        boolean due = known.isRead() && founding.mayFound() && isDue(now) || mayCoordinate && founding.mayRevive(now);
        if (!due || !claim.isNone() || resigned || mayCarryOn(now)) {
            founding.rest();
        } else {
            founding.seek(firstTerm(now), incarnation, isFresh(), now, commands);
        }
        founding.revival(now).map(ElectionCommand.Revive::new).ifPresent(commands::add);
    }

    /** The wall clock's milliseconds, for the number of the next term. */
    public void wallClock(long millis) {
        floor.wallClock(millis);
    }

    private boolean mayClaim(long now) {
        return isDue(now) && mayCarryOn(now);
    }

    /** Whether the record's reign is over as far as this node knows, and this node is the next to claim. */
    private boolean isDue(long now) {
        if (!mayCoordinate || !stands || !view.available() || loss.forbidsClaims(now)) {
            return false;
        }
        int rank = view.rank(self);
        TermRecord seen = known.record();
        if (view.isVacant(seen, self)) {
            // only this node treats its own record as vacant: all others wait for its lease
            return seen != null && seen.owner().equals(self) || vacancy.isOver(rank, stopping, now);
        }
        return now >= known.since() + times.orThoseOf(seen).lease() * (2 + rank) / 2;
    }

    private void observe(@Nullable TermRecord found, long now) {
        heard.shown(found);
        TermRecord before = known.record();
        if (!Objects.equals(found, before)) {
            founding.changed(before, found);
        }
        if (found != null && claim.isOwn(found)) {
            known.readOwn(found, Math.max(claim.confirmSent(), claim.predecessorSeen()), now);
        } else {
            known.read(found, now);
        }
        if (found != null) {
            floor.meet(found.termId());
        }
        watchVacancy(now);
        operation.dueAt(nextRead(found, now));
        boolean wanted =
                mayClaim(now) || isDue(now) && foundingIsComplete(now) || heard.awaitsRecordSince(operation.sent());
        if (claim.isNone() && wanted) {
            operation.dueAt(now);
        }
    }

    /** A vacant record is read more often, also after a read that failed: its coordinator took its caches along. */
    private long nextRead(@Nullable TermRecord seen, long now) {
        long interval = times.confirmInterval();
        return now + (view.isVacant(seen, self) ? Math.max(1, interval / 8) : interval);
    }

    private void watchVacancy(long now) {
        TermRecord seen = known.record();
        vacancy.look(seen == null ? null : seen.termId(), view.isVacant(seen, self), now);
    }

    private void writeTookHold(long now) {
        TermRecord own = Objects.requireNonNull(claim.written(), "a write has a record");
        heard.shown(own);
        holders.written(own);
        if (claim.isWriting()) {
            claim.tookHold(operation.sent());
            operation.dueAt(now);
        } else if (claim.isReign()) {
            claim.tookHold(operation.sent());
            operation.dueAt(claim.nextConfirmation(now));
            confirmed();
        }
    }

    private void verify(@Nullable TermRecord found, long now) {
        if (!claim.isProvenBy(found, now) || floor.met().isHigherThan(claim.term()) || loss.pausesWrites()) {
            claim.end();
            return;
        }
        // The claim replaced the very record that was first read then, so the predecessor has written nothing since.
        claim.prevailed(loss.othersWroteUntil(found));
        founding.begun();
        operation.dueAt(claim.nextConfirmation(now));
        long waitFrom = holders.begun(claim.predecessorSeen());
        OwnClaim.Predecessor before = claim.predecessor();
        commands.add(new ElectionCommand.Begin(
                claim.term(), before.term(), waitFrom, claim.confirmSent(), before.givenUpBy()));
        confirmed();
    }

    private void confirmed() {
        commands.add(new ElectionCommand.Confirmed(claim.term(), claim.confirmSent()));
    }

    /** After a confirmation of unknown outcome: continue from the own record that was found. */
    private void compareOwn(@Nullable TermRecord found) {
        if (found != null
                && found.termId().equals(claim.term())
                && found.owner().equals(self)) {
            claim.goOnFrom(found);
        } else {
            stepDown("the record shows another owner");
        }
    }

    private void stepDown(String reason) {
        if (claim.isReign()) {
            commands.add(new ElectionCommand.StepDown(claim.term(), reason));
        }
        if (!claim.isNone()) {
            claim.end();
            known.readAgain();
        }
    }

    private void replace(@Nullable TermRecord from, TermRecord to, long now) {
        claim.sent(to);
        floor.tries(to.termId());
        holders.sent(to);
        commands.add(new ElectionCommand.Replace(operation.begin(now), from, to));
    }

    private List<ElectionCommand> take() {
        List<ElectionCommand> taken = List.copyOf(commands);
        commands.clear();
        return taken;
    }
}
