package accounts;

import accounts.AccountEvent.Receipt;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * An account after all its events. Immutable.
 *
 * @param events how many there were
 * @param receipts of the last commands with an id, the oldest first
 * @param open transfers that have left and are not known to have arrived, by their numbers, the oldest first
 * @param taken for each account that sent something, the number of its last transfer that has arrived here
 */
public record AccountState(
        long balance, long events, Map<String, Receipt> receipts, Map<Long, Open> open, Map<String, Long> taken) {
    /** Ids of commands that are remembered. */
    static final int RECEIPTS = 256;

    static final AccountState EMPTY = new AccountState(0, 0, Map.of(), Map.of(), Map.of());

    /** A transfer on its way. */
    public record Open(String to, long amount) {}

    AccountState after(AccountEvent event) {
        long number = events + 1;
        if (event instanceof AccountEvent.Deposited deposited) {
            return moved(deposited.amount(), receipts(deposited.receipt()), open, taken);
        }
        if (event instanceof AccountEvent.Withdrawn withdrawn) {
            return moved(-withdrawn.amount(), receipts(withdrawn.receipt()), open, taken);
        }
        if (event instanceof AccountEvent.Sent sent) {
            var more = changed(open, map -> {
                map.put(number, new Open(sent.to(), sent.amount()));
                return map;
            });
            return moved(-sent.amount(), receipts(sent.receipt()), more, taken);
        }
        if (event instanceof AccountEvent.Received received) {
            Map<String, Long> more = new HashMap<>(taken);
            more.put(received.from(), received.number());
            return moved(received.amount(), receipts, open, more);
        }
        var fewer = changed(open, map -> {
            map.remove(((AccountEvent.Settled) event).number());
            return map;
        });
        return moved(0, receipts, fewer, taken);
    }

    private AccountState moved(
            long change, Map<String, Receipt> nowReceipts, Map<Long, Open> nowOpen, Map<String, Long> nowTaken) {
        return new AccountState(Math.addExact(balance, change), events + 1, nowReceipts, nowOpen, nowTaken);
    }

    private Map<String, Receipt> receipts(Receipt next) {
        if (next.commandId() == null) {
            return receipts;
        }
        return changed(receipts, map -> {
            map.put(next.commandId(), next);
            if (map.size() > RECEIPTS) {
                map.remove(map.keySet().iterator().next());
            }
            return map;
        });
    }

    private static <K, V> Map<K, V> changed(Map<K, V> before, UnaryOperator<Map<K, V>> change) {
        return change.apply(new LinkedHashMap<>(before));
    }

    Optional<Receipt> receipt(String commandId) {
        return commandId == null ? Optional.empty() : Optional.ofNullable(receipts.get(commandId));
    }
}
