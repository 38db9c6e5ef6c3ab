package io.shardbus.core.entity;

/** State of a cell. */
public enum CellState {
    STARTING,
    IDLE,
    BUSY,
    /** Ready for the next message, while messages that it has decided on are not answered. */
    UNANSWERED,
    /** The instance is asked for its state, as its shard may move; its messages wait. */
    ASKED,
    /** The instance has given its state; its messages wait until it is known whether the shard moves. */
    OFFERED,
    STOPPING,
    PAUSED,
    ENDED;

    /** Whether an instance is there. */
    boolean isLive() {
        return this != PAUSED && this != ENDED;
    }
}
