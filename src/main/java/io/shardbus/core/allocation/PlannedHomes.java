package io.shardbus.core.allocation;

import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.NodeId;
import io.shardbus.model.RegionInfo;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A copy of a table in which shards can be moved, to see where a rule would place the next; made once for a plan,
 * however many shards that places. For one thread.
 */
public final class PlannedHomes implements AllocationSnapshot {
    private final FixedSnapshot start;
    private final Map<NodeId, RegionInfo> regions = new LinkedHashMap<>();
    private final Map<NodeId, SortedSet<Integer>> homes = new LinkedHashMap<>();

    /** Begins as {@code live} is at this moment; takes time in proportion to the number of shards. */
    public PlannedHomes(AllocationSnapshot live) {
        start = FixedSnapshot.copyOf(live);
        for (NodeId node : start.regions()) {
            regions.put(node, start.region(node));
            homes.put(node, new TreeSet<>(start.shardsOf(node)));
        }
    }

    /** Adds a region without shards, or changes what is known of one. */
    public void put(RegionInfo region) {
        regions.put(region.node(), region);
        homes.computeIfAbsent(region.node(), key -> new TreeSet<>());
    }

    /** The home of a shard, if it has one. */
    public Optional<NodeId> homeOf(int shard) {
        return homes.entrySet().stream()
                .filter(entry -> entry.getValue().contains(shard))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** The shard leaves its home. */
    public void remove(NodeId home, int shard) {
        known(home).remove(shard);
    }

    /** The shard arrives at a home. */
    public void add(NodeId home, int shard) {
        known(home).add(shard);
    }

    /** A copy for rules that may keep it; takes time in proportion to the number of shards. */
    public FixedSnapshot copy() {
        return FixedSnapshot.copyOf(this);
    }

    @Override
    public Set<NodeId> regions() {
        return Collections.unmodifiableSet(regions.keySet());
    }

    @Override
    public RegionInfo region(NodeId region) {
        RegionInfo found = regions.get(region);
        if (found == null) {
            throw new NoSuchElementException("no region " + region);
        }
        return found;
    }

    @Override
    public SortedSet<Integer> shardsOf(NodeId region) {
        return Collections.unmodifiableSortedSet(known(region));
    }

    @Override
    public int count(NodeId region) {
        return known(region).size();
    }

    private SortedSet<Integer> known(NodeId region) {
        SortedSet<Integer> found = homes.get(region);
        if (found == null) {
            throw new NoSuchElementException("no region " + region);
        }
        return found;
    }

    @Override
    public Set<Integer> inHandoff() {
        return start.inHandoff();
    }

    @Override
    public Set<Integer> resting() {
        return start.resting();
    }

    @Override
    public boolean memberUnreachable() {
        return start.memberUnreachable();
    }

    @Override
    public boolean memberJoining() {
        return start.memberJoining();
    }
}
