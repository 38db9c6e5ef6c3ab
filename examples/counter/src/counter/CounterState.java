package counter;

import io.shardbus.model.FencingToken;
import io.vertx.core.json.JsonObject;

/**
 * A counter as one of its instances knew it.
 *
 * @param node the node where the instance lived
 * @param incarnation another one for every start of an instance
 */
public record CounterState(String id, long value, String node, String incarnation, FencingToken token) {
    JsonObject toJson() {
        return new JsonObject()
                .put("id", id)
                .put("value", value)
                .put("node", node)
                .put("incarnation", incarnation)
                .put("token", new JsonObject().put("term", token.term()).put("sequence", token.sequence()));
    }
}
