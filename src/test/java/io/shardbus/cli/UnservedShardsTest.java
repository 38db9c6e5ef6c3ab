package io.shardbus.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the doctor says of shards that no node serves. */
class UnservedShardsTest {
    private static final Map<String, String> NOTHING = Map.of();

    private static JsonObject type(int homeless) {
        return new JsonObject()
                .put("homeless", homeless)
                .put("shards", new JsonObject().put("1", new JsonObject().put("home", "a")))
                .put("regions", new JsonObject().put("a", new JsonObject()))
                .put("moves", new JsonObject())
                .put("cordoned", new JsonArray())
                .put("failed", new JsonArray());
    }

    private static List<Finding> findings(JsonObject type, Map<String, String> waits) {
        JsonObject overview = new JsonObject()
                .put("nodes", new JsonObject().put("a", new JsonObject()))
                .put("types", new JsonObject().put("t", type));
        return UnservedShards.findings(UnservedShards.of(overview), waits);
    }

    private static JsonObject placing(String cause, long homelessMs) {
        return new JsonObject().put("phase", "placing").put("cause", cause).put("homelessMs", homelessMs);
    }

    @Test
    void allAreServed() {
        assertEquals(
                List.of(Finding.ok("shards", "all that messages were sent to have a home")),
                findings(type(0), NOTHING));
        assertEquals(List.of(), UnservedShards.findings(UnservedShards.of(null), NOTHING));
    }

    @Test
    void oneThatMovesIsNoProblem() {
        JsonObject type = type(1).put("moves", new JsonObject().put("7", placing("rebalance", 20)));
        assertEquals(
                List.of(Finding.warning(
                        "shards",
                        "t: 1 shard has no home, the longest for 0.0 s (rebalance)",
                        "if it lasts, ask shardbus why t 7")),
                findings(type, NOTHING));
    }

    @Test
    void thoseOfACrashAreAProblemAfterASecond() {
        JsonObject type = type(3).put(
                        "moves",
                        new JsonObject()
                                .put("7", placing("crash", 12_300))
                                .put("8", placing("crash", 9_000))
                                .put("9", new JsonObject().put("phase", "waiting")));
        assertEquals(
                List.of(Finding.problem(
                        "shards",
                        "t: 3 shards have no home, the longest for 12.3 s (crash)",
                        "if it lasts, ask shardbus why t 7")),
                findings(type, NOTHING));
    }

    @Test
    void noNodeMayTakeThem() {
        JsonObject type = type(2).put("cordoned", JsonArray.of("a"))
                .put(
                        "regions",
                        new JsonObject()
                                .put("a", new JsonObject())
                                .put("b", new JsonObject().put("leaving", true))
                                .put("c", new JsonObject().put("proxy", true)));
        assertEquals(
                List.of(Finding.problem(
                        "shards",
                        "t: 2 shards have no home: a is cordoned, b leaves or is drained",
                        "let a node take shards: start one that hosts t, or end its drain or cordon")),
                findings(type, NOTHING));
    }

    @Test
    void theNodeSaysForWhatATypeWaits() {
        assertEquals(
                List.of(Finding.problem(
                        "shards", "t: 1 shard has no home: it waits", "if it lasts, ask shardbus why t SHARD")),
                findings(type(1), Map.of("t", "it waits")));
    }

    @Test
    void thoseOfALostNodeWaitForItsLease() {
        JsonObject type = type(0);
        type.getJsonObject("shards")
                .put("2", new JsonObject().put("home", "gone"))
                .put("3", new JsonObject().put("home", "gone"));
        assertEquals(
                List.of(Finding.problem(
                        "shards",
                        "t: 2 shards wait until the lease of the lost node gone has expired",
                        "wait until the lease has expired; if it lasts, look at shardbus events --kind"
                                + " loss-undecided")),
                findings(type, NOTHING));
    }
}
