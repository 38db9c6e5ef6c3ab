package io.shardbus.cli;

import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** All that is known of an entity, as a table for people. */
final class EntityTable {
    private EntityTable() {}

    /** @param entity the answer of {@code types/TYPE/entities/ID} */
    static Table of(JsonObject entity) {
        var table = new Table("FIELD", "VALUE")
                .row("type", entity.getString("type"))
                .row("id", entity.getString("id"))
                .row("node", entity.getString("node"))
                .row("shard", entity.getInteger("shard"))
                .row("token", token(entity.getJsonObject("token")))
                .row("live", yesOrNo(entity.getBoolean("live")))
                .row("remembered", yesOrNo(entity.getBoolean("remembered")));
        JsonObject instance = entity.getJsonObject("instance");
        return instance == null ? table : add(table, instance);
    }

    private static Table add(Table table, JsonObject instance) {
        return table.row("phase", phase(instance))
                .row(
                        "started",
                        Counted.seconds(instance.getLong("liveMs")) + " ago, by " + instance.getString("startReason"))
                .row("incarnation", instance.getString("incarnation"))
                .row("mailbox", mailbox(instance))
                .row("stashed", instance.getInteger("stashed"))
                .row("timers", instance.getInteger("timers"))
                .row("restarts", instance.getInteger("restarts"))
                .row("last failure", failure(instance.getJsonObject("lastFailure")))
                .row("inspectable", yesOrNo(instance.getBoolean("inspectable")));
    }

    private static @Nullable String yesOrNo(@Nullable Boolean value) {
        return value == null ? null : value ? "yes" : "no";
    }

    private static @Nullable String token(@Nullable JsonObject token) {
        return token == null
                ? null
                : "term " + token.getLong("term") + ", incarnation " + token.getString("incarnation") + ", sequence "
                        + token.getLong("sequence");
    }

    private static String phase(JsonObject instance) {
        String message = instance.getString("message");
        return instance.getString("phase")
                + (message == null ? "" : ", at " + message + " for " + instance.getLong("busyMs") + " ms");
    }

    private static String mailbox(JsonObject instance) {
        int waiting = instance.getInteger("waiting");
        if (waiting == 0) {
            return "empty";
        }
        return Counted.of(waiting, "message") + (waiting == 1 ? " waits" : " wait") + ", the next for "
                + instance.getLong("oldestWaitMs") + " ms";
    }

    private static @Nullable String failure(@Nullable JsonObject failure) {
        if (failure == null) {
            return null;
        }
        String text = failure.getString("text", "");
        return failure.getString("kind") + (text.isEmpty() ? "" : ": " + text) + ", "
                + Counted.seconds(failure.getLong("agoMs")) + " ago";
    }
}
