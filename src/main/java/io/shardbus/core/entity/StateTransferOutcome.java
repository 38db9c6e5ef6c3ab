package io.shardbus.core.entity;

/** Outcome of the transfer of one entity's state when its shard moved; all but TAKEN mean a plain start. */
public enum StateTransferOutcome {
    /** The new instance has it. */
    TAKEN,
    /** The entity could not say what it knows. */
    FAILED,
    /** It has more bytes than a payload may have, or there is no room for it on the lane. */
    TOO_LARGE,
    /** The new instance did not want it. */
    REFUSED,
    /** The entity did not give it before it was stopped by force, or it was not fetched, or did not come, in time. */
    TIMED_OUT,
    /** The way between the homes broke off, or the shard has got another home since. */
    LOST
}
