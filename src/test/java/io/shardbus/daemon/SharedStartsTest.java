package io.shardbus.daemon;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ShardingException;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.options.DaemonOptions;
import io.shardbus.options.SingletonOptions;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Sets of workers and singletons that parts of one application start, each for itself. */
@DisplayName("Started twice on one Vertx")
class SharedStartsTest {
    private static final int INTERVAL = 50;

    private final LoneNode node = new LoneNode(TestCluster.options());
    private final RollCall calls = new RollCall();

    @AfterEach
    void close() {
        node.close();
    }

    private Future<ClusterSingleton<String>> singleton(int interval) {
        WorkerContext told =
                new WorkerContext("one", new WorkerId(0, 1, 0), node.sharding().self(), new FencingToken(1, 1, 1));
        return ClusterSingleton.start(
                node.vertx(),
                node.sharding(),
                new SingletonOptions().setName("one").setKeepAliveIntervalMs(interval),
                String.class,
                () -> calls.worker(told));
    }

    private Future<ShardedDaemonProcess> workers(int workers) {
        return ShardedDaemonProcess.start(
                node.vertx(),
                node.sharding(),
                new DaemonOptions()
                        .setName("feed")
                        .setWorkers(workers)
                        .setMaxWorkers(4)
                        .setKeepAliveIntervalMs(INTERVAL)
                        .setKeepAliveThrottleMs(5),
                calls::worker);
    }

    private void untilRunning(String... ids) {
        until("running: " + Set.of(ids), () -> calls.running().equals(Set.of(ids)));
    }

    @Test
    @DisplayName("a singleton runs until both starts are stopped, each of which counts once, and starts anew then")
    void aSingletonIsShared() {
        ClusterSingleton<String> first = await(singleton(INTERVAL));
        ClusterSingleton<String> second = await(singleton(INTERVAL));
        untilRunning("0");
        await(first.stop());
        await(first.stop());
        assertEquals(Set.of("one"), ClusterSingleton.startedOn(node.vertx()).keySet());
        await(node.vertx().undeploy(calls.entry("0").deployment()));
        untilRunning("0");
        await(second.stop());
        untilRunning();
        assertEquals(Map.of(), ClusterSingleton.startedOn(node.vertx()));
        ClusterSingleton<String> third = await(singleton(2 * INTERVAL));
        untilRunning("0");
        await(third.stop());
        untilRunning();
    }

    @Test
    @DisplayName("a set of workers runs until both starts are stopped, and can be rescaled by the one that stays")
    void aSetIsShared() {
        Future<ShardedDaemonProcess> begun = workers(2);
        ShardedDaemonProcess second = await(workers(2));
        ShardedDaemonProcess first = await(begun);
        untilRunning("0", "1");
        await(first.stop());
        assertEquals(
                Set.of("feed"), ShardedDaemonProcess.startedOn(node.vertx()).keySet());
        await(second.rescale(1));
        untilRunning("1|1|0");
        await(second.stop());
        untilRunning();
        assertEquals(Map.of(), ShardedDaemonProcess.startedOn(node.vertx()));
        await(await(workers(1)).stop());
    }

    private Future<Void> leave(String type) {
        return node.sharding().region(type).orElseThrow().leave();
    }

    @Test
    @DisplayName("a singleton whose region was told to leave runs again with the second start")
    void aSingletonWhoseRegionHasLeftStartsAnew() {
        ClusterSingleton<String> first = await(singleton(INTERVAL));
        untilRunning("0");
        await(leave("singleton-one"));
        untilRunning();
        ClusterSingleton<String> second = await(singleton(INTERVAL));
        untilRunning("0");
        await(first.stop());
        Future<Void> leaving = leave("singleton-one");
        ClusterSingleton<String> third = await(singleton(INTERVAL));
        await(leaving);
        untilRunning("0");
        assertEquals(Map.of("one", third), ClusterSingleton.startedOn(node.vertx()));
        await(second.stop());
        await(third.stop());
        untilRunning();
    }

    @Test
    @DisplayName("a set of workers whose region was told to leave runs again with the second start")
    void aSetWhoseRegionHasLeftStartsAnew() {
        await(workers(1));
        untilRunning("0");
        await(leave("daemon-feed"));
        untilRunning();
        ShardedDaemonProcess second = await(workers(1));
        untilRunning("0");
        await(second.stop());
        untilRunning();
    }

    @Test
    @DisplayName("a singleton whose first start throws can be started")
    void aStartThatThrowsLeavesTheNameFree() {
        SharedStarts<String> starts = new SharedStarts<>("thrown", part -> Future.succeededFuture(), part -> false);
        Future<?> thrown = starts.start(node.vertx(), node.sharding(), "one", "options", () -> {
            throw new IllegalArgumentException("not this one");
        });
        assertEquals(
                "not this one",
                assertThrows(IllegalArgumentException.class, () -> await(thrown))
                        .getMessage());
        Supplier<Future<String>> begins = () -> Future.succeededFuture("part");
        assertEquals(
                "part",
                await(starts.start(node.vertx(), node.sharding(), "one", "options", begins))
                        .part());
    }

    @Test
    @DisplayName("a singleton that a closed sharding started does not start by it again")
    void aClosedShardingStartsNothing() {
        await(singleton(INTERVAL));
        await(node.sharding().close());
        var refused = assertThrows(ShardingException.class, () -> await(singleton(INTERVAL)));
        assertEquals(FailureCode.SHUTTING_DOWN, refused.code());
    }

    @Test
    @DisplayName("with other options they are refused, and what runs is as before")
    void otherOptionsAreRefused() {
        ClusterSingleton<String> singleton = await(singleton(INTERVAL));
        ShardedDaemonProcess set = await(workers(2));
        var refused = assertThrows(IllegalStateException.class, () -> await(singleton(2 * INTERVAL)));
        assertTrue(
                String.valueOf(refused.getMessage())
                        .startsWith("singleton 'one' was started on this Vertx with other options:"),
                refused::getMessage);
        assertThrows(IllegalStateException.class, () -> await(workers(3)));
        await(singleton.stop());
        await(set.stop());
        untilRunning();
    }
}
