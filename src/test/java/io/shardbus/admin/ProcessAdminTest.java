package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.options.DirectOptions;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.client.WebClient;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

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
            JsonObject answer = Await.result(WebClient.create(node.vertx())
                            .get(port, "127.0.0.1", "/api/v1/process")
                            .send())
                    .bodyAsJsonObject();
            assertEquals(node.sharding().self().value(), answer.getString("node"));
            assertEquals(2, answer.getJsonObject("options").getInteger("lanes"));
            assertEquals(
                    new JsonObject().put("lanes", 0).put("awaitPredecessorLeases", true),
                    answer.getJsonObject("defaults"));
            assertEquals(ProcessHandle.current().pid(), answer.getLong("pid"));
            assertTrue(answer.getJsonArray("collections").size() > 0);
            assertTrue(names(answer.getJsonArray("threads")).contains("vert.x-eventloop-thread-0"));
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
