package io.shardbus.integration.moves;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.ShardingException;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.metrics.ShardbusMetrics;
import io.shardbus.model.NodeId;
import io.shardbus.model.ShardHash;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A lane of a third node is blocked while a drain moves shards between two healthy nodes. */
@Tag("slow")
class StuckParticipantIT {
    private static final int SHARDS = 12;
    private static final int LANES = 2;
    private static final int HANDOFF_TIMEOUT = 60_000;
    private static final Duration ASK = Duration.ofSeconds(1);
    /** The drain is waited for 3 s; an ask of a second may begin just before it is over, and the machine be busy. */
    private static final long LONGEST_SILENCE = 8_000;

    private final TestCluster cluster = new TestCluster();
    private final CountDownLatch blocked = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final EntityDefinition<String> type = LoneNode.texts(id -> new Blocking());

    private final class Blocking implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            if (message.equals("block")) {
                blocked.countDown();
                awaitGate();
            }
            return reply(context.node().value());
        }

        private void awaitGate() {
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @AfterEach
    void close() {
        gate.countDown();
        cluster.close();
    }

    /** Where an entity is, by its own word; empty when it does not answer in time. */
    private String ask(String id) {
        try {
            return await(cluster.node(1).sharding().entityRef(type.type(), id).request("where", String.class, ASK));
        } catch (ShardingException e) {
            return "";
        }
    }

    private String oneAt(Map<String, String> homes, NodeId home) {
        return homes.entrySet().stream()
                .filter(entry -> entry.getValue().equals(home.value()))
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aShardIsSilentForSecondsAndTriedAgainLater(int lane) throws InterruptedException {
        ShardingOptions options = TestCluster.options()
                .setLanes(LANES)
                .setHandoffTimeoutMs(HANDOFF_TIMEOUT)
                .setRebalanceIntervalMs(0)
                .setNumberOfShards(SHARDS);
        cluster.start(3, options).startType(type);
        cluster.untilMembers(3);
        Map<String, String> homes = new LinkedHashMap<>();
        for (int i = 0; i < 120; i++) {
            String id = "e" + i;
            if (ShardHash.shard(id, SHARDS) % LANES == lane) {
                homes.put(id, ask(id));
            }
        }
        NodeId first = cluster.node(0).id();
        String moving = oneAt(homes, first);
        cluster.node(1)
                .sharding()
                .entityRef(type.type(), oneAt(homes, cluster.node(2).id()))
                .tell("block");
        assertTrue(blocked.await(20, TimeUnit.SECONDS), "the lane is blocked");
        assertEquals(first, cluster.coordinator());
        var registry = new SimpleMeterRegistry();
        ShardbusMetrics.bind(cluster.node(0).sharding(), registry, Duration.ofMillis(20));
        await(cluster.node(1).sharding().drain(first));
        long answered = System.nanoTime();
        until(
                "a meter tells for how long the shard has been leaving",
                () -> registry.find("shardbus.shard.handoff.longest").gauges().stream()
                        .anyMatch(gauge -> gauge.value() > 0.3));
        long longest = 0;
        long end = answered + TimeUnit.SECONDS.toNanos(15);
        while (System.nanoTime() < end) {
            if (!ask(moving).isEmpty()) {
                long now = System.nanoTime();
                longest = Math.max(longest, now - answered);
                answered = now;
            }
        }
        long silence = TimeUnit.NANOSECONDS.toMillis(Math.max(longest, System.nanoTime() - answered));
        assertTrue(silence < LONGEST_SILENCE, () -> "silent for " + silence + " ms");
        gate.countDown();
        until("the shard moves when the lane is free again", () -> {
            String home = ask(moving);
            return !home.isEmpty() && !home.equals(first.value());
        });
    }
}
