package io.shardbus.core.entity;

/** Outcome of the transfer of one entity's state when its shard moved; all but TAKEN mean a plain start. */
public enum StateTransferOutcome {
    /** The new instance has the state. */
    TAKEN,
    /** {@code handOver} failed. */
    FAILED,
    /** The state has more bytes than a payload may have, or there is no room for it on the lane. */
    TOO_LARGE,
    /** {@code takeOver} refused the state. */
    REFUSED,
    /**
     * The state was not handed over before the entity was stopped by force, was not fetched in time, or did not arrive
     * in time.
     */
    TIMED_OUT,
    /** The connection between the homes broke, or the shard has another home by now. */
    LOST
}
