package io.shardbus.model;

/** Reason for the stop of an instance. */
public enum StopReason {
    /**
     * Its shard leaves this home in good order, also where there is no other; another instance starts at the next home.
     */
    HANDOFF,
    /** The entity asked for it, or a policy put it away; the next message starts another instance. */
    PASSIVATION,
    /** The whole cluster stops, or the region did not leave in time: its shards end without a handoff. */
    SHUTDOWN,
    /**
     * The region lost its lease, or the shard an outside one that it needs. Another instance may start elsewhere at any
     * time after this.
     */
    LEASE_LOST,
    /** Its code failed and the restart policy ends this instance. */
    FAILURE
}
