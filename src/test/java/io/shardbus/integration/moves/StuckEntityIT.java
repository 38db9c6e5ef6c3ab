package io.shardbus.integration.moves;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.integration.LogLines;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.ClusterEvent;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.model.ShardMove;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Code that never completes: an entity that never answers, and one that never starts. */
@Tag("slow")
class StuckEntityIT {
    private static final EntityType<String> TYPE = EntityType.of("cart", String.class);
    /** As long as the least time after which an entity counts as stuck: an ask that has timed out says that it does. */
    private static final long ASK_TIMEOUT = 2_000;

    private static final long HANDOFF_TIMEOUT = 30_000;
    private static final long STOP_TIMEOUT = 10_000;
    private static final long SHUTDOWN_TIMEOUT = 6_000;

    private final TestCluster cluster = new TestCluster();
    private final LogLines log = new LogLines("io.shardbus.runtime.region");

    @BeforeEach
    void start() {
        startNode();
    }

    private TestCluster.Node startNode() {
        ShardingOptions options = TestCluster.options()
                .setAskTimeoutMs(ASK_TIMEOUT)
                .setHandoffTimeoutMs(HANDOFF_TIMEOUT)
                .setStopTimeoutMs(STOP_TIMEOUT)
                .setShutdownTimeoutMs(SHUTDOWN_TIMEOUT)
                .setRebalanceIntervalMs(200);
        TestCluster.Node node = cluster.startNode(options);
        await(node.sharding()
                .start(EntityDefinition.of(TYPE, id -> new Quiet(id)).withNumberOfShards(10)));
        return node;
    }

    @AfterEach
    void close() {
        cluster.close();
        log.close();
    }

    /** Echoes; does not start if its id says so, and does not answer if its message does. */
    private record Quiet(String id) implements Entity<String> {
        @Override
        public Future<?> started(EntityContext<String> context) {
            return id.startsWith("never") ? Promise.promise().future() : Future.succeededFuture();
        }

        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            return message.equals("hang") ? Promise.promise().future() : Future.succeededFuture(message);
        }
    }

    private static Future<String> request(TestCluster.Node node, String id, String message) {
        return node.sharding().entityRef(TYPE, id).request(message, String.class, Duration.ofMillis(ASK_TIMEOUT));
    }

    private static int shardOf(TestCluster.Node node, String id) {
        return await(node.sharding().locate(TYPE.name(), id)).orElseThrow().shard();
    }

    /** Two entities of the shard that a round chooses first. */
    private static List<String> neighbours(TestCluster.Node node) {
        List<String> ids = IntStream.range(0, 100).mapToObj(i -> "e" + i).toList();
        ids.forEach(id -> assertEquals("hello", await(request(node, id, "hello"))));
        return ids.stream().filter(id -> shardOf(node, id) == 0).limit(2).toList();
    }

    private static long shardsAt(TestCluster.Node node, NodeId home) {
        return await(node.sharding().typeState(TYPE.name())).shards().stream()
                .filter(shard -> shard.home().equals(home))
                .count();
    }

    private static FailureCode failure(Future<?> future) {
        try {
            await(future);
            throw new AssertionError("must fail");
        } catch (ShardingException e) {
            return e.code();
        }
    }

    private void untilLogNames(String shard, String id, String end) {
        String begin = "WARN type=cart shard=" + shard;
        String entity = ": entity " + id + " has been handling one message";
        until(
                "the log names it: " + begin + entity + "..." + end,
                () -> log.with(entity).stream().anyMatch(line -> line.startsWith(begin) && line.endsWith(end)));
    }

    @Test
    void aNodeThatJoinsGetsTheOtherShardsAndNeighboursAreServed() {
        TestCluster.Node first = cluster.node(0);
        List<String> shard = neighbours(first);
        assertEquals(FailureCode.TIMED_OUT, failure(request(first, shard.get(0), "hang")));
        AtomicInteger answered = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        long traffic = first.vertx()
                .setPeriodic(
                        50,
                        tick -> request(first, shard.get(1), "hello")
                                .onSuccess(answer -> answered.incrementAndGet())
                                .onFailure(failure -> failed.incrementAndGet()));
        TestCluster.Node second = startNode();
        long began = System.nanoTime();
        try {
            until("the other shards are spread", () -> shardsAt(first, second.id()) == 5);
        } finally {
            first.vertx().cancelTimer(traffic);
        }
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        assertTrue(took < HANDOFF_TIMEOUT / 2, () -> "took " + took + " ms");
        assertTrue(answered.get() > 0);
        assertEquals(0, failed.get(), "of the shard's healthy entity");
        untilLogNames("0", shard.get(0), "the shard stays here and does not move");
        ClusterEvent stayed = await(first.sharding().operations().events("", 5_000)).events().stream()
                .filter(event -> event.kind() == ClusterEvent.Kind.SHARD_STAYED)
                .findFirst()
                .orElseThrow();
        assertEquals(shard.get(0), stayed.details().get("entity"), stayed::toString);
        assertTrue((Long) stayed.details().get("entityMs") >= ASK_TIMEOUT, stayed::toString);
    }

    private static boolean waitsFor(TestCluster.Node asked, String id) {
        return await(asked.sharding().operations().overview()).types().stream()
                .flatMap(type -> type.moves().stream())
                .map(ShardMove::heldUp)
                .anyMatch(heldUp -> heldUp != null && id.equals(heldUp.entity()) && heldUp.entityMs() >= ASK_TIMEOUT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"e", "never starts"})
    void aNodeClosesInTheTimeThatItMayTake(String id) {
        TestCluster.Node first = cluster.node(0);
        startNode();
        assertEquals(FailureCode.TIMED_OUT, failure(request(first, id, "hang")));
        NodeId home =
                await(first.sharding().locate(TYPE.name(), id)).orElseThrow().node();
        TestCluster.Node leaving = cluster.nodes().stream()
                .filter(node -> node.id().equals(home))
                .findFirst()
                .orElseThrow();
        TestCluster.Node other = cluster.nodes().stream()
                .filter(node -> !node.id().equals(home))
                .findFirst()
                .orElseThrow();
        long began = System.nanoTime();
        Future<?> closed = leaving.sharding().close();
        until("the move of the shard says what it waits for", () -> waitsFor(other, id));
        await(closed);
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        assertTrue(took < SHUTDOWN_TIMEOUT * 4 / 3, () -> "took " + took + " ms");
        untilLogNames("", id, "the shard cannot leave, and the region waits for it");
    }
}
