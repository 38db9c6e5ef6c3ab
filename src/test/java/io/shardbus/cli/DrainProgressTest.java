package io.shardbus.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.integration.Await;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("drain --wait")
class DrainProgressTest {
    private static final String NODE = "n2";
    private static final String TYPE = "counter";

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        Await.result(vertx.close());
    }

    private static JsonObject overview(long term, JsonObject types) {
        return new JsonObject()
                .put("cluster", new JsonObject().put("term", term))
                .put("nodes", new JsonObject().put("n1", new JsonObject()).put(NODE, new JsonObject()))
                .put("types", types);
    }

    /** The type as a coordinator knows it with which the node's region has registered. */
    private static JsonObject with(int shards) {
        var homes = new JsonObject();
        for (int shard = 0; shard < shards; shard++) {
            homes.put(String.valueOf(shard), new JsonObject().put("home", NODE));
        }
        return new JsonObject()
                .put(
                        TYPE,
                        new JsonObject()
                                .put("shards", homes)
                                .put("regions", new JsonObject().put(NODE, new JsonObject())));
    }

    /** The same before the region has registered. */
    private static JsonObject withoutRegion() {
        return new JsonObject()
                .put(TYPE, new JsonObject().put("shards", new JsonObject()).put("regions", new JsonObject()));
    }

    private List<String> notesOf(List<JsonObject> overviews) {
        var stream = new StringBuilder();
        overviews.forEach(one ->
                stream.append("event: snapshot\ndata: ").append(one.encode()).append("\n\n"));
        var router = Router.router(vertx);
        router.get("/api/v1/cluster")
                .handler(request -> request.json(new JsonObject()
                        .put("nodes", new JsonArray().add(new JsonObject().put("id", NODE)))));
        router.post("/api/v1/nodes/" + NODE + "/drain")
                .handler(request -> request.json(new JsonObject().put("handoffs", 2)));
        router.get("/api/v1/stream")
                .handler(request -> request.response()
                        .putHeader("Content-Type", "text/event-stream")
                        .end(stream.toString()));
        int port = Await.result(vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"))
                .actualPort();
        CommandRun run = CommandRun.of("--url", "http://127.0.0.1:" + port, "drain", NODE, "--wait");
        assertEquals(ExitCode.DONE.code(), run.code(), run::toString);
        return run.errors().lines().toList();
    }

    private static List<String> left(int... shards) {
        return Arrays.stream(shards)
                .mapToObj(count -> "shardbus: " + count + (count == 1 ? " shard" : " shards") + " left on " + NODE)
                .toList();
    }

    @Test
    @DisplayName("counts nothing while a coordinator that has just begun does not know the node's shards")
    void waitsForTheRegionsOfTheNode() {
        assertEquals(
                left(2, 1, 0),
                notesOf(List.of(
                        overview(1, with(2)),
                        overview(2, new JsonObject()),
                        overview(2, withoutRegion()),
                        overview(2, with(1)),
                        overview(2, with(0)))));
    }

    @Test
    @DisplayName("counts nothing in a table of before, which is shown while no coordinator answers")
    void waitsForAnAnswerOfTheCoordinator() {
        assertEquals(
                left(2, 0),
                notesOf(List.of(
                        overview(1, withoutRegion()).put("trouble", "no coordinator answers"),
                        overview(1, with(2)),
                        overview(1, with(0)))));
    }

    @Test
    @DisplayName("ends when the region, or the node, has left")
    void endsWithTheRegion() {
        assertEquals(left(2, 0), notesOf(List.of(overview(1, with(2)), overview(1, withoutRegion()))));
        JsonObject gone = overview(2, new JsonObject());
        gone.getJsonObject("nodes").remove(NODE);
        assertEquals(left(2, 0), notesOf(List.of(overview(1, with(2)), gone)));
    }
}
