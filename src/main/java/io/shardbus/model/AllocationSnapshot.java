package io.shardbus.model;

import java.util.Set;
import java.util.SortedSet;

/**
 * View of the cluster for an allocation strategy: the regions that host shards, the shards of each, and whether the
 * membership is settled. A strategy of the library reads a snapshot during one call and must not keep it, because it
 * may be a view of a live table; an {@code AllocationStrategy} of a user gets a copy. The collections of a snapshot
 * must not be modified.
 */
public interface AllocationSnapshot {
    /**
     * The regions that host shards, in a stable order. The strategies of the library choose the earlier of two regions
     * that are equally good.
     */
    Set<NodeId> regions();

    /**
     * Version and status of a region.
     *
     * @throws java.util.NoSuchElementException if {@code region} is not one of {@link #regions()}
     */
    RegionInfo region(NodeId region);

    /**
     * The shards whose home is this region, ascending; a shard in handoff belongs to it until the handoff is complete.
     *
     * @throws java.util.NoSuchElementException if {@code region} is not one of {@link #regions()}
     */
    SortedSet<Integer> shardsOf(NodeId region);

    /** The number of {@link #shardsOf} a region, in constant time. */
    int count(NodeId region);

    /** The shards that are leaving their home right now; may contain shards that belong to no region. */
    Set<Integer> inHandoff();

    /**
     * The shards in cooldown: they stay at their home for a time, because their handoff was aborted or their home
     * refused to begin one. They are not moved if a strategy chooses them, so it should choose others. The cooldown
     * grows with each abort. Shards that an operator has pinned to their present home are among them.
     */
    default Set<Integer> resting() {
        return Set.of();
    }

    /** Whether a member of the own data center cannot be reached. */
    boolean memberUnreachable();

    /** Whether a member of the own data center is joining and not yet up. */
    boolean memberJoining();
}
