package io.shardbus.cli;

import io.vertx.core.json.JsonObject;
import java.util.stream.Collectors;

/** Events of the cluster as lines of text. */
final class EventLines {
    private EventLines() {}

    /** Time, recording node, event, subject, and details. */
    static String line(JsonObject event) {
        JsonObject details = event.getJsonObject("details", new JsonObject());
        return LookCommands.instant(event.getLong("at")) + "  " + event.getString("node") + "  "
                + event.getString("kind") + "  " + event.getString("subject")
                + details.stream()
                        .map(detail -> " " + detail.getKey() + "=" + detail.getValue())
                        .collect(Collectors.joining("", details.isEmpty() ? "" : " ", ""));
    }
}
