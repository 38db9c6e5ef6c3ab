package io.shardbus.model;

/** Reason for the start of an instance. */
public enum StartReason {
    /** A message, or a start request, came for it. */
    MESSAGE,
    /** It is remembered: it starts without a message. */
    REMEMBERED,
    /** Its shard moved here, and it ran at the former home. */
    MOVED,
    /** The instance before it failed. */
    RESTART
}
