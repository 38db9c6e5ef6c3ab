package io.shardbus.core.allocation;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.MemberStatus;
import io.shardbus.model.NodeId;
import io.shardbus.model.RegionInfo;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** A live table of homes that carries out what a rule decides. Regions are called A, B, C and so on. */
final class TestCluster implements AllocationSnapshot {
    static final NodeId A = node(0);
    static final NodeId B = node(1);
    static final NodeId C = node(2);
    static final NodeId D = node(3);

    private static final String VERSION = "1.0";

    private final Map<NodeId, RegionInfo> regions = new LinkedHashMap<>();
    private final Map<NodeId, SortedSet<Integer>> homes = new LinkedHashMap<>();
    private final Set<Integer> inHandoff = new TreeSet<>();
    private final Set<Integer> resting = new TreeSet<>();
    private boolean unreachable;
    private boolean joining;

    /** Regions with these numbers of shards, which are numbered from 1 through A, then B, then C. */
    static TestCluster of(int... counts) {
        TestCluster cluster = new TestCluster();
        int next = 1;
        for (int i = 0; i < counts.length; i++) {
            cluster.add(node(i), range(next, next + counts[i]));
            next += counts[i];
        }
        return cluster;
    }

    /** Regions without shards. */
    static TestCluster ofEmpty(int regions) {
        return of(new int[regions]);
    }

    static NodeId node(int number) {
        return new NodeId(number < 26 ? String.valueOf((char) ('A' + number)) : "R" + number);
    }

    static Set<Integer> shards(int... numbers) {
        return new TreeSet<>(Arrays.stream(numbers).boxed().toList());
    }

    static Set<Integer> range(int from, int end) {
        return new TreeSet<>(IntStream.range(from, end).boxed().toList());
    }

    TestCluster add(NodeId region, Set<Integer> shards) {
        regions.put(region, RegionInfo.up(region, VERSION));
        homes.put(region, new TreeSet<>(shards));
        return this;
    }

    TestCluster add(NodeId region, int... shards) {
        return add(region, shards(shards));
    }

    /** Removes a region; the shards it leaves behind have no home. */
    SortedSet<Integer> remove(NodeId region) {
        regions.remove(region);
        return homes.remove(region);
    }

    TestCluster version(NodeId region, String version) {
        regions.put(region, new RegionInfo(region, version, region(region).status()));
        return this;
    }

    TestCluster leaving(NodeId region) {
        regions.put(region, new RegionInfo(region, region(region).appVersion(), MemberStatus.LEAVING));
        return this;
    }

    TestCluster unreachable() {
        unreachable = true;
        return this;
    }

    TestCluster joining() {
        joining = true;
        return this;
    }

    TestCluster inHandoff(int... shards) {
        inHandoff.addAll(shards(shards));
        return this;
    }

    TestCluster resting(int... shards) {
        resting.addAll(shards(shards));
        return this;
    }

    /** Starts a round: what the rule picks is in handoff from now on. */
    Set<Integer> startRound(ShardAllocation rule) {
        Set<Integer> picked = rule.rebalance(this);
        assertTrue(Collections.disjoint(picked, inHandoff), () -> "picked twice: " + picked + " of " + inHandoff);
        inHandoff.addAll(picked);
        return picked;
    }

    /** Completes every handoff, one after the other, lowest shards first. */
    void completeHandoffs(ShardAllocation rule) {
        for (int shard : List.copyOf(inHandoff)) {
            inHandoff.remove(shard);
            homes.values().forEach(shards -> shards.remove(shard));
            allocate(rule, shard);
        }
    }

    /** A whole round; returns what it moved. */
    Set<Integer> round(ShardAllocation rule) {
        Set<Integer> picked = startRound(rule);
        completeHandoffs(rule);
        return picked;
    }

    /** Rounds until nothing moves; returns how many there were. */
    int roundsUntilQuiet(ShardAllocation rule) {
        int rounds = 0;
        while (!round(rule).isEmpty()) {
            rounds++;
            assertTrue(rounds < 10_000, () -> "never quiet: " + counts());
        }
        return rounds;
    }

    /** Places a shard that A asked for. */
    NodeId allocate(ShardAllocation rule, int shard) {
        NodeId home = rule.allocate(shard, A, this).orElseThrow();
        shardsOf(home).add(shard);
        return home;
    }

    void allocateAll(ShardAllocation rule, Iterable<Integer> shards) {
        shards.forEach(shard -> allocate(rule, shard));
    }

    List<Integer> counts() {
        return homes.values().stream().map(Set::size).toList();
    }

    int total() {
        return counts().stream().mapToInt(Integer::intValue).sum();
    }

    int fewest() {
        return Collections.min(counts());
    }

    int most() {
        return Collections.max(counts());
    }

    @Override
    public Set<NodeId> regions() {
        return regions.keySet();
    }

    @Override
    public RegionInfo region(NodeId region) {
        return Optional.ofNullable(regions.get(region)).orElseThrow();
    }

    @Override
    public SortedSet<Integer> shardsOf(NodeId region) {
        return Optional.ofNullable(homes.get(region)).orElseThrow();
    }

    @Override
    public int count(NodeId region) {
        return shardsOf(region).size();
    }

    @Override
    public Set<Integer> inHandoff() {
        return inHandoff;
    }

    @Override
    public Set<Integer> resting() {
        return resting;
    }

    @Override
    public boolean memberUnreachable() {
        return unreachable;
    }

    @Override
    public boolean memberJoining() {
        return joining;
    }
}
