package io.shardbus.integration.moves;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.shardbus.core.allocation.VirtualNodeRing;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every strategy that can be selected, through a join, a leave and a rolling update of three nodes. */
@Tag("slow")
class StrategiesIT {
    private static final int SHARDS = 24;
    private static final Duration ASK = Duration.ofSeconds(20);
    /** The options name a class; definitions name the strategies that the library brings. */
    private static final String OWN = FewestShards.class.getName();

    private static final List<String> EVEN = List.of("least-shards", "least-shards-threshold", OWN);
    private static final List<String> ALL =
            List.of("least-shards", "least-shards-threshold", "consistent-hashing", "slice-ranges", "external", OWN);

    private final TestCluster cluster = new TestCluster();

    @AfterEach
    void close() {
        cluster.close();
    }

    private static ShardingOptions options(String version) {
        return TestCluster.options()
                .setAppVersion(version)
                .setAllocationStrategy(OWN)
                .setRebalanceIntervalMs(200)
                .setRebalanceRelativeLimit(1.0)
                .setMaxSimultaneousRebalance(24);
    }

    private static EntityType<String> type(String strategy) {
        return EntityType.of("by-" + strategy.substring(strategy.lastIndexOf('.') + 1), String.class);
    }

    private TestCluster.Node startNode(String version) {
        TestCluster.Node node = cluster.startNode(options(version));
        cluster.untilMembers(cluster.nodes().size());
        for (String strategy : ALL) {
            EntityDefinition<String> definition = EntityDefinition.of(
                            type(strategy),
                            id -> (message, context) ->
                                    Future.succeededFuture(context.node().value()))
                    .withNumberOfShards(SHARDS)
                    .withMessageExtractor(new ShardInId<>());
            await(node.sharding()
                    .start(strategy.equals(OWN) ? definition : definition.withAllocation(strategy))
                    .compose(ShardRegion::ready));
        }
        return node;
    }

    /** Where the entities of all shards answer from, by shard. */
    private Map<Integer, NodeId> places(String strategy, TestCluster.Node asked) {
        List<Future<String>> answers = new ArrayList<>();
        for (int shard = 0; shard < SHARDS; shard++) {
            answers.add(asked.sharding().entityRef(type(strategy), "e" + shard).request("where", String.class, ASK));
        }
        Map<Integer, NodeId> places = new TreeMap<>();
        for (int shard = 0; shard < SHARDS; shard++) {
            places.put(shard, new NodeId(await(answers.get(shard))));
        }
        return places;
    }

    private Map<Integer, NodeId> homes(String strategy) {
        TypeState state =
                await(cluster.node(0).sharding().typeState(type(strategy).name()));
        return state.shards().stream()
                .filter(shard -> shard.status() == TypeState.ShardStatus.ACTIVE)
                .collect(Collectors.toMap(TypeState.Shard::shard, TypeState.Shard::home));
    }

    private Set<NodeId> ids() {
        return cluster.nodes().stream().map(TestCluster.Node::id).collect(Collectors.toSet());
    }

    private static Map<NodeId, Integer> counts(Map<Integer, NodeId> homes, Set<NodeId> nodes) {
        Map<NodeId, Integer> counts = new HashMap<>();
        nodes.forEach(node -> counts.put(node, 0));
        homes.values().forEach(home -> counts.merge(home, 1, Integer::sum));
        return counts;
    }

    /** Whether all shards are where the strategy wants them with these nodes. */
    private boolean isAsWanted(String strategy) {
        Map<Integer, NodeId> homes = homes(strategy);
        Set<NodeId> nodes = ids();
        if (homes.size() < SHARDS || !nodes.containsAll(homes.values())) {
            return false;
        }
        Map<NodeId, Integer> counts = counts(homes, nodes);
        int optimum = (SHARDS + nodes.size() - 1) / nodes.size();
        int most = counts.values().stream().max(Integer::compare).orElseThrow();
        int fewest = counts.values().stream().min(Integer::compare).orElseThrow();
        if (EVEN.contains(strategy)) {
            return most - fewest <= 1;
        }
        if (strategy.equals("slice-ranges")) {
            return most <= optimum + 1 && fewest >= optimum - 1;
        }
        if (strategy.equals("consistent-hashing")) {
            IntFunction<NodeId> owner = new VirtualNodeRing().among(nodes);
            return homes.entrySet().stream()
                    .allMatch(home -> owner.apply(home.getKey()).equals(home.getValue()));
        }
        return await(cluster.node(0)
                        .sharding()
                        .externalAllocation(type(strategy).name())
                        .homes())
                .entrySet()
                .stream()
                .filter(wanted -> nodes.contains(wanted.getValue()))
                .allMatch(wanted -> wanted.getValue().equals(homes.get(wanted.getKey())));
    }

    private void untilAllAreAsWanted(String when) {
        ALL.forEach(strategy -> until(strategy + " " + when, () -> isAsWanted(strategy)));
    }

    private void wantAllOn(TestCluster.Node node) {
        Map<Integer, NodeId> wanted = new HashMap<>();
        for (int shard = 0; shard < SHARDS; shard++) {
            wanted.put(shard, node.id());
        }
        await(node.sharding().externalAllocation(type("external").name()).setHomes(wanted));
    }

    @Test
    @DisplayName(
            "ALLOC-01 ALLOC-13 ALLOC-26 ALLOC-32 EXT-05 each strategy places, evens out after a join, and gives the"
                    + " shards of a leaver a home")
    void joinAndLeave() {
        startNode("1");
        startNode("1");
        startNode("1");
        ALL.forEach(strategy ->
                assertEquals(SHARDS, places(strategy, cluster.node(1)).size()));
        untilAllAreAsWanted("of three nodes");

        TestCluster.Node joined = startNode("1");
        wantAllOn(joined);
        untilAllAreAsWanted("of four nodes");
        assertEquals(
                Set.of(joined.id()),
                new HashSet<>(places("external", cluster.node(0)).values()));

        cluster.leave(cluster.node(0));
        cluster.untilMembers(3);
        ALL.forEach(strategy ->
                assertTrue(ids().containsAll(places(strategy, cluster.node(0)).values()), strategy));
        untilAllAreAsWanted("after a leave");
    }

    @Test
    @DisplayName(
            "ROLL-01 ROLL-02 ROLL-03 in a rolling update each id moves at most once, and never to a node of the old"
                    + " version")
    void rollingUpdate() {
        for (int i = 0; i < 3; i++) {
            startNode("1.9.0");
        }
        Set<NodeId> old = ids();
        Map<String, Map<Integer, List<NodeId>>> ways = new HashMap<>();
        ALL.forEach(strategy -> note(ways, strategy, places(strategy, cluster.node(1))));
        untilAllAreAsWanted("of three nodes");
        ALL.forEach(strategy -> ways.put(strategy, new TreeMap<>()));
        ALL.forEach(strategy -> note(ways, strategy, places(strategy, cluster.node(1))));
        for (int i = 0; i < 3; i++) {
            TestCluster.Node renewed = startNode("1.10.0");
            if (i == 0) {
                wantAllOn(renewed);
                until("external has moved all", () -> isAsWanted("external"));
            }
            cluster.leave(cluster.node(0));
            cluster.untilMembers(3);
            if (i < 2) {
                ALL.forEach(strategy -> note(ways, strategy, places(strategy, renewed)));
            }
        }
        for (String strategy : ALL) {
            ways.get(strategy).forEach((shard, way) -> {
                String text = strategy + ", shard " + shard + ": " + way;
                assertTrue(way.size() <= 2, text);
                assertTrue(way.size() < 2 || !old.contains(way.get(1)), text);
            });
            assertTrue(ids().containsAll(places(strategy, cluster.node(2)).values()), strategy);
        }
        assertTrue(ids().stream().noneMatch(old::contains));
        untilAllAreAsWanted("of the new version");
    }

    /** Adds a home to the way of a shard if it is another one. */
    private static void note(
            Map<String, Map<Integer, List<NodeId>>> ways, String strategy, Map<Integer, NodeId> places) {
        Map<Integer, List<NodeId>> ofType = ways.computeIfAbsent(strategy, key -> new TreeMap<>());
        places.forEach((shard, place) -> {
            List<NodeId> way = ofType.computeIfAbsent(shard, key -> new ArrayList<>());
            if (way.isEmpty() || !way.get(way.size() - 1).equals(place)) {
                way.add(place);
            }
        });
    }
}
