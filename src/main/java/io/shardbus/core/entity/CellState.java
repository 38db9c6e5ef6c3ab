package io.shardbus.core.entity;

/** Where a cell is in its life. */
public enum CellState {
    STARTING,
    IDLE,
    BUSY,
    STOPPING,
    PAUSED,
    ENDED;

    /** Whether an instance is there. */
    boolean isLive() {
        return this != PAUSED && this != ENDED;
    }
}
