package io.shardbus.core.control;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * This node's claim on the term record, from its first write to the end of its reign: the reign that it follows, the
 * record that it wrote last, and the authority that its writes give.
 *
 * <pre>
 * NONE -> WRITING -> VERIFYING -> REIGNING
 *   ^________|__________|____________|
 * </pre>
 */
final class OwnClaim {
    private enum Step {
        NONE,
        WRITING,
        VERIFYING,
        REIGNING
    }

    /**
     * The last reign before a claim that may have granted leases.
     *
     * @param term NONE if it is not known which reign was the last
     * @param givenUpBy its owner, if it gave up in good order: the record says so, or it has said goodbye; else null
     */
    record Predecessor(TermId term, @Nullable NodeId givenUpBy) {
        static final Predecessor UNKNOWN = new Predecessor(TermId.NONE, null);

        static Predecessor of(TermRecord record) {
            return new Predecessor(record.termId(), record.isReleased() ? record.owner() : null);
        }
    }

    private final LeaseTimes times;
    private Step step = Step.NONE;
    private @Nullable TermRecord written;
    /** Number of the last write. Each write has its own number, so a replica that shows it dates the write. */
    private long lastBeat;
    /** When the last write was sent that took hold. */
    private long confirmSent;
    /** A write that was sent before this moment proves nothing about the last change among the nodes. */
    private long confirmAfter = Long.MIN_VALUE;

    private Predecessor predecessor = Predecessor.UNKNOWN;
    private long predecessorSeen;
    /** Whether a reign has begun with this claim. */
    private boolean begun;

    OwnClaim(LeaseTimes times) {
        this.times = times;
    }

    boolean isNone() {
        return step == Step.NONE;
    }

    boolean isWriting() {
        return step == Step.WRITING;
    }

    boolean isVerifying() {
        return step == Step.VERIFYING;
    }

    boolean isReign() {
        return step == Step.REIGNING;
    }

    /** Whether this node reigns and its authority has not run out: it lasts a lease from the moment of the write. */
    boolean hasAuthority(long now) {
        return step == Step.REIGNING && isInTime(now);
    }

    private boolean isInTime(long now) {
        return now < confirmSent + times.lease();
    }

    /**
     * The first write is about to be sent.
     *
     * @param seen when a reign before may last have written its record
     */
    void begin(Predecessor follows, long seen) {
        predecessor = follows;
        predecessorSeen = seen;
        begun = false;
        step = Step.WRITING;
    }

    void sent(TermRecord record) {
        written = record;
        lastBeat = record.beat();
    }

    /** A write took hold that was sent at this moment: a claim must be verified, a reign has its authority anew. */
    void tookHold(long sentAt) {
        confirmSent = sentAt;
        step = step == Step.WRITING ? Step.VERIFYING : step;
    }

    /** A write did not take hold, or may not have: that ends a claim, while a reign goes on to the end of its time. */
    void missed() {
        step = step == Step.WRITING ? Step.NONE : step;
    }

    /** Whether the record that was read is the one that the claim wrote, in time for a reign to begin. */
    boolean isProvenBy(@Nullable TermRecord found, long now) {
        return found != null && found.equals(written) && isInTime(now);
    }

    /**
     * The claim was verified: no write of the reign before took hold since the record that it replaced was read.
     *
     * @param othersWroteUntil when the other side of a split may last have confirmed the reign before
     */
    void prevailed(long othersWroteUntil) {
        predecessorSeen = Math.max(predecessorSeen, othersWroteUntil);
        begun = true;
        step = Step.REIGNING;
    }

    /** Goes on from this record of the present reign, after a write of unknown outcome. */
    void goOnFrom(TermRecord found) {
        written = found;
    }

    void end() {
        step = Step.NONE;
    }

    /** The nodes changed: the next confirmation is due at once, until one was sent after this moment. */
    void confirmAfter(long now) {
        confirmAfter = now;
    }

    /** When the next confirmation is due. */
    long nextConfirmation(long now) {
        return confirmSent < confirmAfter ? now : confirmSent + times.confirmInterval();
    }

    /** The record that was written last; null before the first claim of this life. */
    @Nullable
    TermRecord written() {
        return written;
    }

    /**
     * Whether the record is of the last claim of this life: it granted by writes known to be true, or only the reign
     * before it did.
     */
    boolean isOwn(@Nullable TermRecord found) {
        return found != null && written != null && found.isSameReign(written);
    }

    /** The last reign that may have granted leases, by a record: a claim with which none began has granted nothing. */
    Predecessor lastReign(TermRecord found) {
        return isOwn(found) && !begun ? predecessor : Predecessor.of(found);
    }

    TermId term() {
        return Objects.requireNonNull(written, "a claim has a record").termId();
    }

    long nextBeat() {
        return lastBeat + 1;
    }

    long confirmSent() {
        return confirmSent;
    }

    Predecessor predecessor() {
        return predecessor;
    }

    /** The last moment at which the reign before is known to have written, or may have. */
    long predecessorSeen() {
        return predecessorSeen;
    }
}
