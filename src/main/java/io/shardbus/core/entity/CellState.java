package io.shardbus.core.entity;

/** Where a cell is in its life. */
public enum CellState {
    STARTING,
    IDLE,
    BUSY,
    STOPPING,
    PAUSED,
    ENDED;

    /** Whether an instance is at a message, or at its start. */
    public boolean isBusy() {
        return this == BUSY || this == STARTING;
    }

    /** Whether an instance is there. */
    boolean isLive() {
        return this != PAUSED && this != ENDED;
    }
}
