package io.shardbus.model;

/** Reason for the stop of an instance. */
public enum StopReason {
    /**
     * Its shard leaves this home in good order, even if there is no other home; another instance starts at the next
     * home.
     */
    HANDOFF,
    /** The entity asked for it, or the passivation strategy chose it; the next message starts another instance. */
    PASSIVATION,
    /** The whole cluster stops, or the region did not leave in time: its shards end without a handoff. */
    SHUTDOWN,
    /**
     * The region lost its lease, or the shard lost its external lease. Another instance may start elsewhere at any time
     * after this.
     */
    LEASE_LOST,
    /** Its code failed and the restart policy ends this instance. */
    FAILURE
}
