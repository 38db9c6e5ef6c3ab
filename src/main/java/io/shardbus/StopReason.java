package io.shardbus;

/** Why an instance stops. */
public enum StopReason {
    /** Its shard moves to another home; another instance starts there with the next message. */
    HANDOFF,
    /** The entity asked for it, or a policy put it away; the next message starts another instance. */
    PASSIVATION,
    /** The node leaves the cluster and there is no other home for the shard. */
    SHUTDOWN,
    /** The region lost its lease, or the shard an outside one that it needs. Another instance may start elsewhere at any time after this. */
    LEASE_LOST,
    /** Its code failed and the restart policy ends this instance. */
    FAILURE
}
