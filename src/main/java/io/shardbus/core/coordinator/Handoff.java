package io.shardbus.core.coordinator;

import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The handoff of one shard: DRAINING until it has stopped, or ABORTING until the home has answered whether it stays.
 */
final class Handoff {
    /** Cause of a handoff; a shard that must go is stopped by force when time is up, one that may go stays. */
    enum Cause {
        REBALANCE,
        LEAVE
    }

    final FencingToken version;
    final Cause cause;
    final long startedAt;
    final Set<NodeId> participants;
    boolean aborting;
    boolean forced;
    long sentAt;

    Handoff(FencingToken version, Cause cause, Set<NodeId> participants, long now) {
        this.version = version;
        this.cause = cause;
        this.participants = new LinkedHashSet<>(participants);
        this.startedAt = now;
        this.sentAt = now;
    }
}
