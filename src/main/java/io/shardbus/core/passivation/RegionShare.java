package io.shardbus.core.passivation;

/** Share of a region's limit that its lanes have in common. Called by every lane on its own thread. */
public interface RegionShare {
    /** A shard came to a lane, or left it. */
    void shards(int change);

    /** The shards of all lanes. */
    int shards();

    /** Limit of active entities in the region; may change at any time. */
    int limit();
}
