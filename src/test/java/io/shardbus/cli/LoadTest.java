package io.shardbus.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How much nodes and shards did between two looks. */
class LoadTest {
    private static final double SECONDS = 2;

    private static JsonObject shard(String home, long messages) {
        return new JsonObject().put("home", home).put("messages", messages).put("entities", 3);
    }

    private static JsonObject overview(String type, JsonObject shards, long deliveredByA) {
        var region = new JsonObject().put("counters", new JsonObject().put("messages_delivered", deliveredByA));
        return new JsonObject()
                .put("nodes", new JsonObject().put("a", new JsonObject().put("cpuPercent", 7)))
                .put(
                        "types",
                        new JsonObject()
                                .put(
                                        type,
                                        new JsonObject()
                                                .put("shards", shards)
                                                .put("regions", new JsonObject().put("a", region))));
    }

    private final Load load = new Load(
            overview(
                    "t",
                    new JsonObject()
                            .put("0", shard("a", 100))
                            .put("1", shard("a", 50))
                            .put("2", shard("b", 900))
                            .put("3", shard("a", 5)),
                    1_000),
            overview(
                    "t",
                    new JsonObject()
                            .put("0", shard("a", 110))
                            .put("1", shard("a", 50))
                            .put("2", shard("a", 30))
                            .put("3", shard("a", 4)),
                    1_100),
            SECONDS);

    @Test
    void theBusiestShardComesFirst() {
        List<JsonObject> shards = load.shards(null, 10);
        assertEquals(
                List.of(2, 0, 3),
                shards.stream().map(shard -> shard.getInteger("shard")).toList());
        assertEquals(15.0, shards.get(0).getDouble("perSecond"), "one that moved counts from 0");
        assertEquals(5.0, shards.get(1).getDouble("perSecond"));
        assertEquals(2.0, shards.get(2).getDouble("perSecond"), "one whose region began anew counts from 0");
        assertEquals(68.2, shards.get(0).getDouble("share"));
        assertEquals(1, load.shards(null, 1).size());
        assertEquals(List.of(), load.shards("other", 10));
    }

    private static JsonObject busy(String home, long messages, long micros) {
        return shard(home, messages).put("busyMicros", micros);
    }

    @Test
    void busyTimeIsInPercentOfTheSeconds() {
        var moved = new Load(
                overview(
                        "t",
                        new JsonObject()
                                .put("0", busy("a", 100, 1_000_000))
                                .put("1", busy("a", 50, 9_000_000))
                                .put("2", shard("a", 1)),
                        0),
                overview(
                        "t",
                        new JsonObject()
                                .put("0", busy("a", 130, 1_500_000))
                                .put("1", busy("b", 20, 3_000_000))
                                .put("2", shard("a", 11)),
                        0),
                SECONDS);
        List<JsonObject> shards = moved.shards("t", 10);
        assertEquals(25.0, shards.get(0).getDouble("busyPercent"));
        assertEquals(150.0, shards.get(1).getDouble("busyPercent"), "several entities; one that moved counts from 0");
        assertNull(shards.get(2).getDouble("busyPercent"), "an earlier build does not count it");
        assertEquals(
                List.of(1, 0, 2),
                moved.shards("t", Load.BUSY_PERCENT, 10).stream()
                        .map(shard -> shard.getInteger("shard"))
                        .toList());
    }

    @Test
    void nodesHaveTheirMessagesASecond() {
        assertEquals(50.0, load.node("a"));
        assertEquals(0.0, load.node("stranger"));
        JsonObject top = load.top(2);
        assertEquals(
                new JsonObject().put("id", "a").put("cpuPercent", 7).put("perSecond", 50.0),
                top.getJsonArray("nodes").getJsonObject(0));
        assertEquals(2, top.getJsonArray("shards").size());
    }
}
