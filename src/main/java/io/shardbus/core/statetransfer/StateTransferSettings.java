package io.shardbus.core.statetransfer;

/**
 * The bounds of states on a lane.
 *
 * @param entityBytes the most that one entity may hand over
 * @param laneBytes the most that a lane keeps at a time, of states that leave and that have come
 * @param required whether a shard that could as well stay does not move while a state of it cannot
 * @param timeout how long a new home waits for states, and an old one keeps them, in milliseconds
 */
public record StateTransferSettings(int entityBytes, long laneBytes, long timeout, boolean required) {
    /** No state is kept. */
    public static final StateTransferSettings NOTHING = new StateTransferSettings(0, 0, 0, false);
}
