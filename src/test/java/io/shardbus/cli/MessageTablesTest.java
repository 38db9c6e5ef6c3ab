package io.shardbus.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Of what nodes count and measure")
class MessageTablesTest {
    private final FakeNode node = new FakeNode();

    @AfterEach
    void stop() {
        node.close();
    }

    private static void assertLines(String expected, String shown) {
        assertEquals(expected.lines().toList(), shown.lines().toList());
    }

    private static JsonObject count(String type, String code, JsonObject nodes, int count) {
        return new JsonObject()
                .put("type", type)
                .put("code", code)
                .put("count", count)
                .put("nodes", nodes);
    }

    private static JsonObject letter(long at, String type) {
        return new JsonObject()
                .put("node", "a")
                .put("at", at)
                .put("type", type)
                .put("shard", 3)
                .put("id", "e1")
                .put("message", "Add")
                .put("code", "MAILBOX_FULL")
                .put("reason", "too many");
    }

    private static JsonObject letters() {
        return new JsonObject()
                .put("letters", JsonArray.of(letter(1_000, "t"), letter(2_000, "t"), letter(3_000, "u")))
                .put("failed", JsonArray.of("b"));
    }

    private static JsonObject failures(@Nullable JsonArray counts) {
        return letters().put("counts", counts);
    }

    @Test
    @DisplayName("failures have those by code, and the last dead letters")
    void failures() {
        JsonObject ofU = count("u", "leases_lost", new JsonObject().put("a", 1), 1);
        node.answers(
                "/failures",
                failures(JsonArray.of(
                        count("t", "mailbox_full", new JsonObject().put("a", 2).put("b", 5), 7), ofU)));
        CommandRun run = node.run("failures", "--most", "2");
        assertEquals(ExitCode.DONE.code(), run.code(), run::toString);
        assertLines("""
                TYPE  CODE          COUNT  NODES  MOST ON
                t     mailbox_full  7      2      b
                u     leases_lost   1      1      a

                AT                    TYPE  SHARD  ENTITY  MESSAGE  CODE          FOUND BY  REASON
                1970-01-01T00:00:03Z  u     3      e1      Add      MAILBOX_FULL  a         too many
                1970-01-01T00:00:02Z  t     3      e1      Add      MAILBOX_FULL  a         too many
                """, run.out());
        assertLines("shardbus: the dead letters of b are missing: it did not answer", run.errors());

        JsonObject ofOne =
                new JsonObject(node.run("failures", "--type", "u", "--json").out());
        assertEquals(JsonArray.of(ofU), ofOne.getJsonArray("counts"));
        assertEquals(JsonArray.of(letter(3_000, "u")), ofOne.getJsonArray("letters"));
        assertEquals(JsonArray.of("b"), ofOne.getJsonArray("failed"));
    }

    @Test
    @DisplayName("failures have the dead letters also where no coordinator answers")
    void failuresWithoutACoordinator() {
        node.answers("/failures", failures(null).put("failed", new JsonArray()).put("trouble", "no coordinator"));
        CommandRun run = node.run("failures", "--type", "nothing");
        assertEquals(ExitCode.DONE.code(), run.code(), run::toString);
        assertLines("there is no dead letter", run.out());
        assertLines("shardbus: no coordinator answers, so failures by code are missing: no coordinator", run.errors());
        JsonObject document = new JsonObject(node.run("failures", "--json").out());
        assertNull(document.getValue("counts"));
        assertEquals(3, document.getJsonArray("letters").size());
    }

    @Test
    @DisplayName("failures of a node of an earlier build are refused with a line that says so")
    void failuresOfAnEarlierBuild() {
        node.refuses("/failures", 404, "no resource /api/v1/failures");
        node.run("failures")
                .fails(ExitCode.NOT_APPLICABLE, "the node is of an earlier build, which does not sum failures");
    }

    private static JsonObject times(int count, int p99) {
        return new JsonObject()
                .put("count", count)
                .put("p50", 3)
                .put("p90", 350)
                .put("p99", p99)
                .put("max", 12_345_600)
                .put("buckets", new JsonArray());
    }

    private static JsonObject series(String kind, String message, int p99) {
        return new JsonObject()
                .put("kind", kind)
                .put("message", message)
                .put("outcome", "ok")
                .put("1m", times(2, p99))
                .put("15m", times(0, 0))
                .put("1h", times(40, p99));
    }

    private static JsonObject slow(long micros, String failure) {
        return new JsonObject()
                .put("at", 5_000)
                .put("message", "Add")
                .put("id", "e" + micros)
                .put("trace", "")
                .put("outcome", failure.isEmpty() ? "ok" : "failed")
                .put("side", "remote")
                .put("micros", micros)
                .put("failure", failure);
    }

    private void answerLatency() {
        node.answers(
                "/latency",
                new JsonObject()
                        .put(
                                "types",
                                new JsonObject()
                                        .put(
                                                "t",
                                                new JsonObject()
                                                        .put("oneOf", 64)
                                                        .put(
                                                                "series",
                                                                JsonArray.of(
                                                                        series("mailbox", "", 400),
                                                                        series("ask_local", "Add", 900)))
                                                        .put("slowest", JsonArray.of(slow(20, ""), slow(10, ""))))
                                        .put(
                                                "u",
                                                new JsonObject()
                                                        .put("oneOf", 0)
                                                        .put("series", new JsonArray())
                                                        .put("slowest", JsonArray.of(slow(30, "TIMED_OUT")))))
                        .put("failed", new JsonArray()));
    }

    @Test
    @DisplayName("latency has the times of a window in milliseconds, and the slowest asks")
    void latency() {
        answerLatency();
        assertLines("""
                TYPE  WHAT       MESSAGE  OUTCOME  MEASURED  P50 MS  P90 MS  P99 MS  LONGEST MS
                t     ask_local  Add      ok       2         0.003   0.350   0.900   12345.600
                t     mailbox    -        ok       2         0.003   0.350   0.400   12345.600
                no times of u are measured: see the option latencySampling

                SLOW ASK MS  TYPE  ENTITY  MESSAGE  SIDE    OUTCOME    TRACE  AT
                0.030        u     e30     Add      remote  TIMED_OUT  -      1970-01-01T00:00:05Z
                0.020        t     e20     Add      remote  ok         -      1970-01-01T00:00:05Z
                """, node.run("latency", "--most", "2").succeeds().out());
        String quarter =
                node.run("latency", "--window", "15m", "--type", "t").succeeds().out();
        assertEquals(
                "nothing was measured in the last 15m",
                quarter.lines().findFirst().orElseThrow());
        JsonObject document = node.run("latency", "--type", "t", "--json").document();
        assertEquals(List.of("t"), List.copyOf(document.getJsonObject("types").fieldNames()));
        node.run("latency", "--type", "nothing")
                .fails(ExitCode.NOT_FOUND, "no node that answered has started an entity type 'nothing'");
        node.run("latency", "--window", "2m").fails(ExitCode.USAGE, "--window must be one of 1m, 15m, 1h");
    }

    private static JsonObject connection(String peer) {
        return new JsonObject()
                .put("type", "t")
                .put("peer", peer)
                .put("state", "direct")
                .put("lanes", 2)
                .put("direct", 2)
                .put("sent", new JsonObject().put("frames", 10).put("bytes", 1_000))
                .put("received", new JsonObject().put("frames", 20).put("bytes", 2_000))
                .put("repeated", 1)
                .put("queued", 2)
                .put("unacknowledged", 3)
                .put("windowFull", 4)
                .put("heardMs", 5)
                .putNull("roundTripMs");
    }

    private static JsonObject ends(boolean tls, JsonArray connections) {
        return new JsonObject().put("tls", tls).put("sealed", true).put("connections", connections);
    }

    @Test
    @DisplayName("connections say who talks to whom, and how that is protected")
    void connections() {
        node.answers(
                "/connections",
                new JsonObject()
                        .put(
                                "nodes",
                                new JsonObject()
                                        .put("a", ends(true, JsonArray.of(connection("b"))))
                                        .put("b", ends(false, new JsonArray())))
                        .put("failed", new JsonArray()));
        assertEquals(
                List.of(
                        "FROM  TO  TYPE  WAY     FRAMES OUT  FRAMES IN  BYTES OUT  BYTES IN  QUEUED  UNACKNOWLEDGED"
                                + "  WINDOW FULL  REPEATED  HEARD MS  ROUND TRIP MS",
                        "a     b   t     direct  10          20         1000       2000      2       3             "
                                + "  4            1         5         -",
                        "TLS on some nodes only, sealed frames on all nodes"),
                node.run("connections").succeeds().out().lines().toList());
        assertEquals(
                2,
                node.run("connections", "--json")
                        .document()
                        .getJsonObject("nodes")
                        .size());
    }

    @Test
    @DisplayName("shards have their busy time, where their home counts it")
    void busyTimeOfShards() {
        JsonObject shard = new JsonObject()
                .put("home", "a")
                .put("state", "started")
                .put("entities", 1)
                .put("passivated", 0)
                .put("remembered", 0)
                .put("messages", 7);
        node.answers(
                "/overview",
                new JsonObject()
                        .put(
                                "types",
                                new JsonObject()
                                        .put(
                                                "t",
                                                new JsonObject()
                                                        .put("numberOfShards", 2)
                                                        .put("homeless", 0)
                                                        .put(
                                                                "shards",
                                                                new JsonObject()
                                                                        .put(
                                                                                "0",
                                                                                shard.copy()
                                                                                        .put("busyMicros", 12_345))
                                                                        .put("1", shard)))));
        assertLines("""
                SHARD  HOME  STATE    LIVE  PASSIVATED  REMEMBERED  MESSAGES  BUSY MS  MOVE
                0      a     started  1     0           0           7         12       -
                1      a     started  1     0           0           7         -        -
                """, node.run("shards", "t").succeeds().out());
    }
}
