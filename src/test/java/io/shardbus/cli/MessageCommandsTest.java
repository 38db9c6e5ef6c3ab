package io.shardbus.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityRef;
import io.shardbus.admin.AdminRouter;
import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Of the messages of a node, the command line")
class MessageCommandsTest {
    private static LoneNode node;
    private static EntityRef<String> entity;
    private static String type;
    private static String url;

    @BeforeAll
    static void start() {
        // each message is measured
        node = new LoneNode(TestCluster.options().setLatencySampling(1));
        var texts = LoneNode.texts(id -> (message, context) ->
                message.equals("wrong") ? Future.failedFuture("not this") : Future.succeededFuture(message));
        type = texts.type().name();
        entity = node.startOne(texts);
        Await.result(LoneNode.ask(entity, "hello"));
        Await.until(node.sharding()::clusterState, node.sharding()::isReady);
        url = "http://127.0.0.1:"
                + Await.result(node.vertx()
                                .createHttpServer()
                                .requestHandler(AdminRouter.create(node.vertx(), node.sharding()))
                                .listen(0, "127.0.0.1"))
                        .actualPort();
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static CommandRun run(String... arguments) {
        return CommandRun.of(
                Stream.concat(Stream.of("--url", url), Stream.of(arguments)).toArray(String[]::new));
    }

    private static JsonObject json(String... arguments) {
        return run(Stream.concat(Stream.of(arguments), Stream.of("--json")).toArray(String[]::new))
                .document();
    }

    @Test
    @DisplayName("shows failures by code and dead letters")
    void failures() {
        entity.tell("wrong");
        Await.until(() -> run("failures").out(), () -> {
            JsonObject found = json("failures", "--type", type);
            return found.getJsonArray("letters").size() == 1
                    && ClusterView.objects(found, "counts")
                            .anyMatch(one -> "dead_letters".equals(one.getString("code")));
        });
        JsonObject found = json("failures", "--type", type);
        JsonObject letter = found.getJsonArray("letters").getJsonObject(0);
        assertEquals("one", letter.getString("id"));
        assertEquals("ENTITY_FAILED", letter.getString("code"));
        JsonObject counted = ClusterView.objects(found, "counts")
                .filter(one -> "dead_letters".equals(one.getString("code")))
                .findFirst()
                .orElseThrow();
        assertEquals(1, counted.getLong("count"));
        assertEquals(new JsonObject().put(node.sharding().self().value(), 1), counted.getJsonObject("nodes"));
        assertEquals(new JsonArray(), found.getJsonArray("failed"));
        String table = run("failures").succeeds().out();
        assertTrue(table.contains("dead_letters") && table.contains("ENTITY_FAILED"), table);
    }

    @Test
    @DisplayName("shows how long asks took")
    void latency() {
        Await.until(() -> run("latency").out(), () -> run("latency").out().contains("ask_local"));
        String table =
                run("latency", "--window", "1h", "--type", type).succeeds().out();
        assertTrue(table.contains("handle") && table.contains("SLOW ASK MS") && table.contains("one"), table);
        JsonObject times = json("latency").getJsonObject("types").getJsonObject(type);
        assertEquals(1, times.getInteger("oneOf"));
    }

    @Test
    @DisplayName("shows that a node that is alone talks to no other one")
    void connections() {
        assertTrue(run("connections").succeeds().out().startsWith("no lane has exchanged a frame with another node"));
        assertTrue(json("connections")
                .getJsonObject("nodes")
                .containsKey(node.sharding().self().value()));
    }
}
