package io.shardbus.core.coordinator;

/**
 * Whether the loss of a member waits for a decision, and what it keeps from happening: nobody claims. Where a minority may go
 * on, each side of a split may write the record in a store of its own. There a reign gains no time by it until it is decided
 * that its side goes on, and the other side's waits for what was under way when they parted: one write, sent no later than a
 * confirm interval after the last one that all had.
 */
final class UndecidedLoss {
    private final LeaseTimes times;
    private long decidedBy = Long.MIN_VALUE;
    private boolean held;
    private long seenAt = Session.NEVER;
    private boolean minorityMayGoOn;

    UndecidedLoss(LeaseTimes times) {
        this.times = times;
    }

    void minorityMayGoOn(boolean may) {
        minorityMayGoOn = may;
    }

    void happened(long now) {
        decidedBy = now + Math.min(times.decision(), times.lease());
    }

    /** All who were lost are dead. */
    void explained() {
        decidedBy = Long.MIN_VALUE;
    }

    void hold(boolean undecided, long now) {
        held = undecided;
        seenAt = undecided ? now : seenAt;
    }

    boolean forbidsClaims(long now) {
        return held || now < decidedBy;
    }

    /** Whether the record may be another one than that of the other side. */
    boolean pausesWrites() {
        return held && minorityMayGoOn;
    }

    /** Until when a reign that was cut off may have confirmed its term; long ago where only one side can. */
    long othersWroteUntil() {
        return minorityMayGoOn ? seenAt + times.confirmInterval() : Session.NEVER;
    }
}
