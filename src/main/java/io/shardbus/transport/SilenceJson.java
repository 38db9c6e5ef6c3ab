package io.shardbus.transport;

import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.ShardSilence;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** JSON form of the waits for homes that a node's senders had. */
final class SilenceJson {
    private static final String SILENCES = "silences";

    private SilenceJson() {}

    static JsonObject write(QueryAnswer.Silences answer) {
        JsonArray silences = new JsonArray();
        answer.silences()
                .forEach(silence -> silences.add(new JsonObject()
                        .put("node", silence.node().value())
                        .put("at", silence.at())
                        .put("type", silence.type())
                        .put("shard", silence.shard())
                        .put("term", silence.token().term())
                        .put("incarnation", silence.token().incarnation())
                        .put("sequence", silence.token().sequence())
                        .put("millis", silence.millis())
                        .put("messages", silence.messages())
                        .put("moving", silence.moving())));
        return new JsonObject().put(SILENCES, silences);
    }

    static QueryAnswer.Silences silences(JsonObject json) {
        List<ShardSilence> silences = new ArrayList<>();
        JsonArray rows = json.getJsonArray(SILENCES, new JsonArray());
        for (int i = 0; i < rows.size(); i++) {
            JsonObject row = rows.getJsonObject(i);
            silences.add(new ShardSilence(
                    new NodeId(row.getString("node")),
                    row.getLong("at", 0L),
                    row.getString("type", ""),
                    row.getInteger("shard", 0),
                    new FencingToken(
                            row.getLong("term", 0L), row.getLong("incarnation", 0L), row.getLong("sequence", 0L)),
                    row.getLong("millis", 0L),
                    row.getLong("messages", 0L),
                    row.getBoolean("moving", false)));
        }
        return new QueryAnswer.Silences(silences);
    }
}
