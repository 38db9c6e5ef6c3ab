package io.shardbus.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
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
        CommandRun run = drain(overviews, HttpServerResponse::end);
        assertEquals(ExitCode.DONE.code(), run.code(), run::toString);
        return run.errors().lines().toList();
    }

    /** How the wait ends at its limit on a stream that has this overview, and no other one. */
    private static String failureAfter(JsonObject overview) {
        var lines = new StreamLines();
        lines.onNext("event: snapshot");
        lines.onNext("data: " + overview.encode());
        var ignored = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        var progress = new DrainProgress(new Output(ignored, ignored, false, false), NODE);
        try (var events = new NodeEvents("http://127.0.0.1:8080/sharding", lines)) {
            CommandFailure failure = assertThrows(CommandFailure.class, () -> progress.follow(events, 1));
            assertEquals(ExitCode.UNFINISHED, failure.code());
            return failure.getMessage();
        }
    }

    private CommandRun drain(List<JsonObject> overviews, Consumer<HttpServerResponse> then, String... options) {
        var stream = new StringBuilder();
        overviews.forEach(one ->
                stream.append("event: snapshot\ndata: ").append(one.encode()).append("\n\n"));
        var router = Router.router(vertx);
        router.get("/api/v1/cluster")
                .handler(request -> request.json(new JsonObject()
                        .put("nodes", new JsonArray().add(new JsonObject().put("id", NODE)))));
        router.post("/api/v1/nodes/" + NODE + "/drain")
                .handler(request -> request.json(new JsonObject().put("handoffs", 2)));
        router.get("/api/v1/stream").handler(request -> {
            HttpServerResponse response = request.response()
                    .putHeader("Content-Type", "text/event-stream")
                    .setChunked(true);
            response.write(stream.toString());
            then.accept(response);
        });
        int port = Await.result(vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"))
                .actualPort();
        return CommandRun.of(Stream.concat(
                        Stream.of("--url", "http://127.0.0.1:" + port, "drain", NODE, "--wait"), Stream.of(options))
                .toArray(String[]::new));
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

    @Test
    @DisplayName("ends at its limit with an exit code of its own")
    void endsAtItsLimit() {
        CommandRun run = drain(List.of(overview(1, with(2))), response -> {}, "--wait-timeout", "1");
        assertEquals(ExitCode.UNFINISHED.code(), run.code(), run::toString);
        assertEquals("", run.out());
        assertTrue(
                run.errors().contains("shardbus: the drain of n2 has not ended within 1 s, and goes on; "),
                run::toString);
    }

    @Test
    @DisplayName("names the shards that are left at its limit, with what they wait for")
    void namesWhatIsLeft() {
        JsonObject heldUp = new JsonObject()
                .put("entity", "e7")
                .put("entityMs", 12)
                .put("entities", 1)
                .put("undrained", new JsonArray());
        JsonObject types = with(2);
        types.getJsonObject(TYPE)
                .put(
                        "moves",
                        new JsonObject()
                                .put(
                                        "1",
                                        new JsonObject()
                                                .put("phase", "stopping")
                                                .put("heldUpBy", heldUp)));
        assertEquals(
                "the drain of n2 has not ended within 1 s, and goes on; 2 shards left:"
                        + " counter/0 (not moving), counter/1 (stopping, waits for e7 for 12 ms)",
                failureAfter(overview(1, types)));
    }

    @Test
    @DisplayName("names ten shards at most")
    void namesTenShards() {
        String failure = failureAfter(overview(1, with(12)));
        assertTrue(failure.endsWith("counter/9 (not moving) and 2 more"), failure);
    }

    @Test
    @DisplayName("says at its limit that no coordinator answers")
    void namesTheTrouble() {
        assertEquals(
                "the drain of n2 has not ended within 1 s, and goes on;"
                        + " its shards are not known; no coordinator answers: it is gone",
                failureAfter(overview(1, withoutRegion()).put("trouble", "it is gone")));
    }
}
