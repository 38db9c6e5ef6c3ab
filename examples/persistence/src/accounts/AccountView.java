package accounts;

import io.shardbus.model.FencingToken;
import io.vertx.core.json.JsonObject;

/**
 * An account as one of its instances knew it after a command.
 *
 * @param sequenceNumber of the account's last event
 * @param node the node where the instance lived
 * @param incarnation another one for every start of an instance
 */
public record AccountView(
        String id, long balance, long sequenceNumber, String node, String incarnation, FencingToken token) {
    JsonObject toJson() {
        return new JsonObject()
                .put("id", id)
                .put("balance", balance)
                .put("sequenceNumber", sequenceNumber)
                .put("node", node)
                .put("incarnation", incarnation)
                .put("token", new JsonObject().put("term", token.term()).put("sequence", token.sequence()));
    }
}
