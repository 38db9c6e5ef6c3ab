package io.shardbus.admin;

import io.shardbus.model.DeadLetter;
import io.shardbus.model.DeadLetterReport;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** The JSON of dead letters. */
final class DeadLetterViews {
    private DeadLetterViews() {}

    static JsonObject letters(DeadLetterReport report) {
        var letters = new JsonArray();
        report.letters().forEach(letter -> letters.add(letter(letter)));
        return new JsonObject().put("letters", letters).put("failed", OverviewViews.names(report.silent()));
    }

    private static JsonObject letter(DeadLetter letter) {
        return new JsonObject()
                .put("node", letter.node().value())
                .put("at", letter.at())
                .put("type", letter.type())
                .put("shard", letter.shard())
                .put("id", letter.entityId())
                .put("message", letter.message())
                .put("code", letter.code())
                .put("reason", letter.reason());
    }
}
