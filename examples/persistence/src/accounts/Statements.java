package accounts;

import io.shardbus.EntityRef;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * What happened to each account, in order, and which transfers are on their way; from the events as they are stored. An
 * account whose transfer is open for long is told, so that an instance looks after it: also when all nodes had died.
 */
final class Statements implements Feed.Reader {
    private static final long LOOK_MS = 2000;

    private final Map<String, List<JsonObject>> movements = new HashMap<>();
    private final Map<String, Long> balances = new HashMap<>();
    private final Map<String, Set<Long>> open = new HashMap<>();
    /** Accounts that had an open transfer when it was last looked. */
    private Set<String> seen = Set.of();

    @Override
    public void event(String id, long sequence, AccountEvent event) {
        if (event instanceof AccountEvent.Deposited deposited) {
            add(id, sequence, "deposit", deposited.amount(), null);
        } else if (event instanceof AccountEvent.Withdrawn withdrawn) {
            add(id, sequence, "withdraw", -withdrawn.amount(), null);
        } else if (event instanceof AccountEvent.Sent sent) {
            open.computeIfAbsent(id, first -> new HashSet<>()).add(sequence);
            add(id, sequence, "transfer", -sent.amount(), sent.to());
        } else if (event instanceof AccountEvent.Received received) {
            add(id, sequence, "transfer", received.amount(), received.from());
        } else if (event instanceof AccountEvent.Settled settled) {
            open.computeIfPresent(id, (account, numbers) -> {
                numbers.remove(settled.number());
                return numbers.isEmpty() ? null : numbers;
            });
        }
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

    /** Tells accounts whose transfers are open for two looks in a row. */
    void lookAfter(Vertx vertx, Function<String, EntityRef<AccountMessage>> accounts) {
        vertx.setPeriodic(LOOK_MS, tick -> {
            Set<String> now = Set.copyOf(open.keySet());
            now.stream().filter(seen::contains).forEach(id -> accounts.apply(id).tell(new AccountMessage.LookAfter()));
            seen = now;
        });
    }

    JsonObject of(String id) {
        return new JsonObject()
                .put("id", id)
                .put("movements", new JsonArray(List.copyOf(movements.getOrDefault(id, List.of()))));
    }
}
