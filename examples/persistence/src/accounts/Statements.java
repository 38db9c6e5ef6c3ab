package accounts;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What happened to each account, in order; from the events as they are stored. */
final class Statements implements Feed.Reader {
    private final Map<String, List<JsonObject>> movements = new HashMap<>();
    private final Map<String, Long> balances = new HashMap<>();

    @Override
    public void event(String id, long sequence, AccountEvent event) {
        if (event instanceof AccountEvent.Deposited) {
            add(id, sequence, "deposit", event.change(), null);
        } else if (event instanceof AccountEvent.Withdrawn) {
            add(id, sequence, "withdraw", event.change(), null);
        } else if (event instanceof AccountEvent.Transferred transferred) {
            add(id, sequence, "transfer", event.change(), transferred.to());
        } else if (event instanceof AccountEvent.Arrived arrived) {
            add(id, sequence, "transfer", event.change(), arrived.from());
        }
    }

    @Override
    public void deletion(String id) {
        movements.remove(id);
        balances.remove(id);
    }

    private void add(String id, long sequence, String kind, long change, String other) {
        long balance = balances.merge(id, change, Long::sum);
        JsonObject movement = new JsonObject()
                .put("sequenceNumber", sequence)
                .put("kind", kind)
                .put("amount", change)
                .put("balance", balance);
        if (other != null) {
            movement.put("account", other);
        }
        movements.computeIfAbsent(id, first -> new ArrayList<>()).add(movement);
    }

    JsonObject of(String id) {
        return new JsonObject()
                .put("id", id)
                .put("movements", new JsonArray(List.copyOf(movements.getOrDefault(id, List.of()))));
    }
}
