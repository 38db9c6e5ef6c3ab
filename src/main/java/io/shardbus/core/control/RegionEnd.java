package io.shardbus.core.control;

/** The way in which a region ends that is told to. */
public enum RegionEnd {
    /** Its shards move to other homes first; it stops if it loses its lease meanwhile. */
    HAND_OFF,
    /** Its entities stop at once, and no shard waits for another home. */
    STOP
}
