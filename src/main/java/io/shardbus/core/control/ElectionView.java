package io.shardbus.core.control;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as this node's membership sees it.
 *
 * @param members oldest first
 * @param candidates the members that may coordinate, oldest first
 * @param available whether this side may decide
 * @param denied whether that is because the record cannot be used here, as most of the members that had it are missing
 */
public record ElectionView(List<NodeId> members, List<NodeId> candidates, boolean available, boolean denied) {
    static final ElectionView EMPTY = new ElectionView(List.of(), List.of(), false);

    public ElectionView(List<NodeId> members, List<NodeId> candidates, boolean available) {
        this(members, candidates, available, false);
    }

    int rank(NodeId node) {
        int rank = candidates.indexOf(node);
        return rank < 0 ? members.size() : rank;
    }

    /** Whether the record is free for a claim, by what this node knows. */
    boolean isVacant(@Nullable TermRecord record, NodeId self) {
        return record == null
                || record.isReleased()
                || record.owner().equals(self)
                || !members.contains(record.owner());
    }

    /**
     * Loss of a member that waits for a decision, and what it prevents: no node claims. Where a minority may go on,
     * each side of a split may write the record in a store of its own. There a write gives a reign no authority until
     * it is decided that its side goes on. The other side's reign waits for the one write that was under way at the
     * cut: it was sent no later than a confirm interval after the last one that all nodes had.
     */
    static final class UndecidedLoss {
        private final LeaseTimes times;
        private long decidedBy = Long.MIN_VALUE;
        private boolean held;
        private long seenAt = LeaseTimes.NEVER;
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

        /** All lost members are dead. */
        void explained() {
            decidedBy = Long.MIN_VALUE;
        }

        void hold(boolean undecided, long now) {
            held = undecided;
            seenAt = undecided ? now : seenAt;
        }

        /** Postpones deadlines by so many milliseconds: the clock gained them, and they may not have passed. */
        void postpone(long millis) {
            decidedBy = decidedBy == Long.MIN_VALUE ? decidedBy : decidedBy + millis;
            seenAt = seenAt == LeaseTimes.NEVER ? seenAt : seenAt + millis;
        }

        boolean forbidsClaims(long now) {
            return held || now < decidedBy;
        }

        /** Whether the other side may have another record. */
        boolean pausesWrites() {
            return held && minorityMayGoOn;
        }

        /**
         * The last moment at which the record's reign may have confirmed its term on another side; long ago if only one
         * side can write.
         */
        long othersWroteUntil(@Nullable TermRecord record) {
            return minorityMayGoOn ? seenAt + times.orThoseOf(record).confirmInterval() : LeaseTimes.NEVER;
        }
    }
}
