package io.shardbus.model;

/** Reason for the start of an instance. */
public enum StartReason {
    /** A message, or a start request, came for the entity. */
    MESSAGE,
    /** The entity is remembered: it starts without a message. */
    REMEMBERED,
    /** The shard of the entity moved here, and the entity ran at the former home. */
    MOVED,
    /** The instance before it failed. */
    RESTART
}
