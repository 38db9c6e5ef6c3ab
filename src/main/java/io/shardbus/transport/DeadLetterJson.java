package io.shardbus.transport;

import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.DeadLetter;
import io.shardbus.model.NodeId;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** JSON form of a node's dead letters. */
final class DeadLetterJson {
    private static final String LETTERS = "letters";

    private DeadLetterJson() {}

    static JsonObject write(QueryAnswer.DeadLetters answer) {
        JsonArray letters = new JsonArray();
        answer.letters()
                .forEach(letter -> letters.add(new JsonObject()
                        .put("node", letter.node().value())
                        .put("at", letter.at())
                        .put("type", letter.type())
                        .put("shard", letter.shard())
                        .put("id", letter.entityId())
                        .put("message", letter.message())
                        .put("code", letter.code())
                        .put("reason", letter.reason())));
        return new JsonObject().put(LETTERS, letters);
    }

    static QueryAnswer.DeadLetters letters(JsonObject json) {
        List<DeadLetter> letters = new ArrayList<>();
        JsonArray rows = json.getJsonArray(LETTERS, new JsonArray());
        for (int i = 0; i < rows.size(); i++) {
            JsonObject row = rows.getJsonObject(i);
            letters.add(new DeadLetter(
                    new NodeId(row.getString("node")),
                    row.getLong("at", 0L),
                    row.getString("type", ""),
                    row.getInteger("shard", 0),
                    row.getString("id", ""),
                    row.getString("message", ""),
                    row.getString("code", ""),
                    row.getString("reason", "")));
        }
        return new QueryAnswer.DeadLetters(letters);
    }
}
