package io.shardbus.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

/** What the command {@code entity} shows to people. */
class EntityTableTest {
    private static JsonObject located() {
        return new JsonObject()
                .put("type", "door")
                .put("id", "front")
                .put("node", "n1")
                .put("shard", 7)
                .put(
                        "token",
                        new JsonObject().put("term", 4).put("incarnation", "9").put("sequence", 12))
                .put("live", true)
                .put("remembered", false);
    }

    private static JsonObject instance() {
        return new JsonObject()
                .put("phase", "busy")
                .put("incarnation", "4.9.12-3")
                .put("startReason", "message")
                .put("liveMs", 12_300)
                .put("inspectable", true)
                .put("message", "door.Open")
                .put("busyMs", 250)
                .put("waiting", 2)
                .put("oldestWaitMs", 90)
                .put("stashed", 1)
                .put("timers", 3)
                .put("restarts", 1)
                .put(
                        "lastFailure",
                        new JsonObject()
                                .put("kind", "java.lang.IllegalStateException")
                                .put("text", "jammed\nfor good")
                                .put("agoMs", 4_000));
    }

    private static String table(JsonObject entity) {
        return String.join("\n", EntityTable.of(entity).lines());
    }

    @Test
    void allOfALiveEntity() {
        assertEquals("""
                FIELD         VALUE
                type          door
                id            front
                node          n1
                shard         7
                token         term 4, incarnation 9, sequence 12
                live          yes
                remembered    no
                phase         busy, at door.Open for 250 ms
                started       12.3 s ago, by message
                incarnation   4.9.12-3
                mailbox       2 messages wait, the next for 90 ms
                stashed       1
                timers        3
                restarts      1
                last failure  java.lang.IllegalStateException: jammed?for good, 4.0 s ago
                inspectable   yes""", table(located().put("instance", instance())));
    }

    @Test
    void anIdleOneHasNoMessageAndPerhapsNoFailure() {
        String table = table(located()
                .put(
                        "instance",
                        instance()
                                .put("phase", "idle")
                                .putNull("message")
                                .put("waiting", 0)
                                .putNull("lastFailure")));
        assertTrue(table.contains("\nphase         idle\n"), table);
        assertTrue(table.contains("\nmailbox       empty\n"), table);
        assertTrue(table.contains("\nlast failure  -\n"), table);
    }

    @Test
    void anEntityWithoutAHome() {
        assertEquals(
                """
                FIELD       VALUE
                type        door
                id          front
                node        -
                shard       -
                token       -
                live        no
                remembered  -""",
                table(located()
                        .putNull("node")
                        .putNull("shard")
                        .putNull("token")
                        .put("live", false)
                        .putNull("remembered")
                        .putNull("instance")));
    }
}
