package io.shardbus.core.coordinator;

import io.shardbus.NodeId;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How far one reign reaches in time: until when it may grant leases, and from when on it may give away what nobody reported. */
final class Authority {
    private final LeaseTimes times;
    private final long waitFrom;
    private @Nullable Set<NodeId> predecessorSessions;
    private long confirmSent;
    private boolean open;
    private boolean undecided;

    /**
     * @param waitFrom leases of earlier terms have run out a lease time and a margin after this moment
     * @param confirmSent when the last confirmed write of the term was sent
     */
    Authority(LeaseTimes times, long waitFrom, long confirmSent) {
        this.times = times;
        this.waitFrom = waitFrom;
        this.confirmSent = confirmSent;
    }

    long end() {
        return confirmSent + times.lease();
    }

    void confirmed(long sentAt) {
        confirmSent = Math.max(confirmSent, sentAt);
    }

    void predecessorAbdicated(Set<NodeId> sessions) {
        predecessorSessions = Set.copyOf(sessions);
    }

    /** While the loss of a member is not decided, its shards stay where they are. */
    void lossUndecided(boolean isUndecided) {
        undecided = isUndecided;
    }

    boolean isOpen() {
        return open;
    }

    /** Opens when earlier leases have run out, or when all who hold one of an abdicated predecessor have spoken. */
    boolean tryToOpen(ShardTable table, Registrations registrations) {
        open |= !times.awaitPredecessors() || confirmSent >= opensAt();
        Set<NodeId> holders = predecessorSessions;
        open |= holders != null
                && holders.stream().allMatch(node -> table.session(node) != null || registrations.saidGoodbye(node));
        return open;
    }

    private long opensAt() {
        return waitFrom + times.lease() + times.margin();
    }

    /** Whether the time to open has come, and only a confirmation sent since is missing. */
    boolean awaitsConfirmation(long now) {
        return !open && now >= opensAt() && confirmSent < opensAt();
    }

    /** Whether the time to free a region's shards has come, and only a confirmation sent since is missing. */
    boolean awaitsConfirmation(Session session, long now) {
        long freeAt = freeAt(session);
        return session.gone && now >= freeAt && confirmSent < freeAt;
    }

    private long freeAt(Session session) {
        long grace = times.awaitPredecessors() ? waitFrom + times.lease() : Session.NEVER;
        return Math.max(session.grantEnd, grace) + times.margin();
    }

    /** Whether all leases of a region, of this term and of earlier ones, have run out while this reign lasted. */
    boolean outlives(Session session, long now) {
        long freeAt = freeAt(session);
        boolean over = now >= freeAt && !undecided;
        return over && (session.shards.isEmpty() || confirmSent >= freeAt);
    }
}
