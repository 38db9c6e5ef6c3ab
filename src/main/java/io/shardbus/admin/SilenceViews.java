package io.shardbus.admin;

import io.shardbus.model.ShardSilence;
import io.shardbus.model.SilenceReport;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** The JSON of waits for homes. */
final class SilenceViews {
    private SilenceViews() {}

    static JsonObject silences(SilenceReport report) {
        var silences = new JsonArray();
        report.silences().forEach(silence -> silences.add(silence(silence)));
        return new JsonObject().put("silences", silences).put("failed", OverviewViews.names(report.silent()));
    }

    private static JsonObject silence(ShardSilence silence) {
        return new JsonObject()
                .put("node", silence.node().value())
                .put("at", silence.at())
                .put("type", silence.type())
                .put("shard", silence.shard())
                .put("term", silence.token().term())
                .put("sequence", silence.token().sequence())
                .put("millis", silence.millis())
                .put("messages", silence.messages())
                .put("cause", silence.moving() ? "move" : "home");
    }
}
