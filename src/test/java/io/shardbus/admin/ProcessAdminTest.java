package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.logging.RecentWarnings;
import io.shardbus.model.NodeId;
import io.shardbus.model.NodeStatus;
import io.shardbus.options.ChangedOptions;
import io.shardbus.options.DirectOptions;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.client.WebClient;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@DisplayName("The process of a node, over HTTP,")
class ProcessAdminTest {
    @Test
    @DisplayName("shows options with the defaults of those that differ, and what threads wait for")
    void showsOptionsAndThreads() {
        var options = new ShardingOptions().setLanes(2).setAwaitPredecessorLeases(false);
        try (var node = new LoneNode(options)) {
            int port = Await.result(node.vertx()
                            .createHttpServer()
                            .requestHandler(AdminRouter.create(node.vertx(), node.sharding()))
                            .listen(0, "127.0.0.1"))
                    .actualPort();
            WebClient client = WebClient.create(node.vertx());
            JsonObject answer = Await.result(
                            client.get(port, "127.0.0.1", "/api/v1/process").send())
                    .bodyAsJsonObject();
            client.close();
            assertEquals(node.sharding().self().value(), answer.getString("node"));
            assertEquals(2, answer.getJsonObject("options").getInteger("lanes"));
            assertEquals(
                    new JsonObject().put("lanes", 0).put("awaitPredecessorLeases", true),
                    answer.getJsonObject("defaults"));
            assertEquals(new JsonObject(), answer.getJsonObject("differences"), "a lone node differs from none");
            assertEquals(ProcessHandle.current().pid(), answer.getLong("pid"));
            assertTrue(answer.getJsonArray("collections").size() > 0);
            assertTrue(names(answer.getJsonArray("threads")).contains("vert.x-eventloop-thread-0"));
        }
    }

    @Test
    @DisplayName("answers soon where no coordinator does, without the differences between nodes")
    void doesNotWaitForACoordinator() {
        var options = new ShardingOptions().setCoordinator(false).setQueryTimeoutMs(60_000);
        try (var node = new LoneNode(options)) {
            int port = Await.result(node.vertx()
                            .createHttpServer()
                            .requestHandler(AdminRouter.create(node.vertx(), node.sharding()))
                            .listen(0, "127.0.0.1"))
                    .actualPort();
            WebClient client = WebClient.create(node.vertx());
            JsonObject answer = Await.result(client.get(port, "127.0.0.1", "/api/v1/process")
                            .timeout(10_000)
                            .send())
                    .bodyAsJsonObject();
            client.close();
            assertNull(answer.getValue("differences"));
            assertEquals(ProcessHandle.current().pid(), answer.getLong("pid"));
        }
    }

    private static String names(JsonArray threads) {
        return threads.stream()
                .map(thread -> ((JsonObject) thread).getString("name") + "\n")
                .reduce("", String::concat);
    }

    @Test
    @DisplayName("names an option within another one with both names")
    void namesInnerOptions() {
        boolean other = !new DirectOptions().isEnabled();
        var options = new ShardingOptions().setDirect(new DirectOptions().setEnabled(other));
        assertEquals(new JsonObject().put("direct.enabled", !other), ProcessViews.defaultsOfChanged(options));
        assertEquals(new JsonObject(), ProcessViews.defaultsOfChanged(new ShardingOptions()));
    }

    @Test
    @DisplayName("names the options that differ between nodes, and leaves out nodes that do not tell theirs")
    void comparesNodes() {
        var nodes = Map.of(
                new NodeId("a"), status(Map.of("lanes", "2", "appVersion", "\"1\"")),
                new NodeId("b"), status(Map.of("appVersion", "\"1\"")),
                new NodeId("c"), status(null));
        assertEquals(
                new JsonObject().put("lanes", new JsonObject().put("a", "2").putNull("b")),
                ProcessViews.differences(nodes));
    }

    private static NodeStatus status(@Nullable Map<String, String> options) {
        return new NodeStatus(1, 0.5, 1, 2, 0, 1, false, Map.of(), 1, -1, options, Map.of());
    }

    @Test
    @DisplayName("cuts the text of an option's value at 200 characters")
    void cutsLongValues() {
        var options = new ShardingOptions()
                .setRequiredTypes(List.of("a".repeat(64), "b".repeat(64), "c".repeat(64), "d".repeat(64)));
        assertEquals(200, ChangedOptions.texts(options).get("requiredTypes").length());
    }

    @Test
    @DisplayName("shows the last 100 warnings of its log, without what is below")
    void showsWarnings() {
        RecentWarnings.begin();
        RecentWarnings.begin();
        var log = LoggerFactory.getLogger("io.shardbus.process-admin-test");
        log.warn("it is {}", "late");
        log.info("it is well");
        assertEquals(List.of("it is late"), texts("io.shardbus.process-admin-test"), "once, though begun twice");
        IntStream.range(0, RecentWarnings.MOST).forEach(number -> log.error("x".repeat(600)));
        var lines = RecentWarnings.last().orElseThrow();
        assertEquals(RecentWarnings.MOST, lines.size());
        assertFalse(texts("io.shardbus.process-admin-test").contains("it is late"));
        assertTrue(texts("io.shardbus.process-admin-test").contains("x".repeat(RecentWarnings.LONGEST_TEXT)));
        LoggerFactory.getLogger("com.example.process-admin-test").warn("of the application");
        assertEquals(List.of(), texts("com.example.process-admin-test"));
    }

    private static List<String> texts(String logger) {
        return ProcessViews.warnings().stream()
                .map(JsonObject.class::cast)
                .filter(line -> line.getString("logger").equals(logger))
                .map(line -> line.getString("text"))
                .toList();
    }

    @Test
    @DisplayName("lists 200 threads at most, and counts all")
    void boundsThreads() {
        var end = new CountDownLatch(1);
        var begun = new CountDownLatch(ProcessViews.MOST_THREADS);
        var threads = IntStream.range(0, ProcessViews.MOST_THREADS)
                .mapToObj(number -> new Thread(
                        () -> {
                            begun.countDown();
                            pass(end);
                        },
                        "process-test-" + number))
                .toList();
        try {
            threads.forEach(Thread::start);
            pass(begun);
            JsonObject runtime = ProcessViews.runtime();
            assertEquals(
                    ProcessViews.MOST_THREADS, runtime.getJsonArray("threads").size());
            assertTrue(runtime.getInteger("threadCount") > ProcessViews.MOST_THREADS);
        } finally {
            end.countDown();
        }
    }

    private static void pass(CountDownLatch latch) {
        try {
            assertTrue(latch.await(Await.DEADLINE.toSeconds(), TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
