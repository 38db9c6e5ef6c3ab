package io.shardbus.integration.leases;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.TestCluster;
import io.shardbus.integration.Traffic;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.options.ShardingOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Leases in the cluster's own caches, on two nodes. */
class ShardLeaseIT {
    private static final ShardingOptions OPTIONS = TestCluster.options()
            .setShardLease("infinispan")
            .setNumberOfShards(10)
            .setRebalanceIntervalMs(200)
            .setLeaseRetryIntervalMs(200);

    private final TestCluster cluster = new TestCluster();

    @AfterEach
    void close() {
        cluster.close();
    }

    /** The owners of all leases, by name. */
    private List<String> leases() {
        List<String> found = new ArrayList<>();
        ShardbusClusterManager.of(cluster.node(0).vertx())
                .container()
                .<byte[], byte[]>getCache("shardbus.term")
                .getAdvancedCache()
                .forEach((key, value) -> {
                    String name = new String(key, StandardCharsets.UTF_8);
                    if (name.startsWith("lease/")) {
                        found.add(name.substring(6) + " " + new String(value, StandardCharsets.UTF_8));
                    }
                });
        return found;
    }

    private long ownedBy(TestCluster.Node node) {
        return leases().stream()
                .filter(lease -> lease.contains(node.id().value()))
                .count();
    }

    @Test
    @DisplayName("LEASE-09 LEASE-10 shards move with their leases; the owner is a host and port; a node"
            + " that leaves gives all back")
    void leasesMoveWithTheirShards() {
        cluster.start(1, OPTIONS).startType(Counter.definition());
        Traffic traffic = Traffic.start(cluster.node(0), CounterMessage.COUNTER, Traffic.hundred("e"));
        until("all shards have leases", () -> ownedBy(cluster.node(0)) == 10);
        TestCluster.Node second = cluster.startNode(OPTIONS);
        await(second.sharding().start(Counter.definition()));
        until("half of them moved", () -> ownedBy(second) == 5 && ownedBy(cluster.node(0)) == 5);
        assertEquals(List.of(), traffic.untilAllAnswer().report().faults());
        String name = cluster.name() + "-shard-counter-";
        assertTrue(
                leases().stream()
                        .allMatch(lease -> lease.matches(
                                java.util.regex.Pattern.quote(name) + "\\d+ 1=\\d+:127\\.0\\.0\\.1:\\d+ 2=.*")),
                () -> leases().toString());
        cluster.leave(second);
        until("all are back", () -> ownedBy(cluster.node(0)) == 10);
        assertEquals(10, leases().size());
        traffic.stop();
    }

    @Test
    @DisplayName("LEASE-10 a type names its lease where the options name none")
    void aTypeChooses() {
        cluster.start(2, new ShardingOptions(OPTIONS).setShardLease("none"))
                .startType(Counter.definition().withShardLease("infinispan"))
                .startType(other("plain"));
        for (String id : Traffic.hundred("e")) {
            await(cluster.node(0).counter(id).ask(new CounterMessage.Get()));
            await(cluster.node(1)
                    .sharding()
                    .entityRef(other("plain").type(), id)
                    .ask(new CounterMessage.Get()));
        }
        String counters = cluster.name() + "-shard-counter-";
        assertEquals(
                10,
                leases().stream().filter(lease -> lease.startsWith(counters)).count());
        assertEquals(10, leases().size(), () -> "the other type needs none: " + leases());
    }

    @Test
    @DisplayName("LEASE-10 a type that needs none has none where the options name a lease")
    void aTypeIsExcepted() {
        cluster.start(1, OPTIONS).startType(other("excepted").withShardLease("none"));
        for (String id : Traffic.hundred("e")) {
            await(cluster.node(0)
                    .sharding()
                    .entityRef(other("excepted").type(), id)
                    .ask(new CounterMessage.Get()));
        }
        assertEquals(List.of(), leases());
    }

    private static EntityDefinition<CounterMessage> other(String name) {
        return EntityDefinition.of(EntityType.of(name, CounterMessage.class), id -> new Counter());
    }
}
