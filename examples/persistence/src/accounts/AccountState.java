package accounts;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * An account after all its events. Immutable.
 *
 * @param events how many there were
 * @param open transfers that have left and are not known to have arrived, by their numbers, the oldest first
 * @param taken for each account that sent something, the number of its last transfer that has arrived here
 */
public record AccountState(long balance, long events, Map<Long, Open> open, Map<String, Long> taken) {
    static final AccountState EMPTY = new AccountState(0, 0, Map.of(), Map.of());

    /** A transfer on its way. */
    public record Open(String to, long amount) {}

    AccountState after(AccountEvent event) {
        long number = events + 1;
        if (event instanceof AccountEvent.Deposited deposited) {
            return moved(deposited.amount(), open, taken);
        }
        if (event instanceof AccountEvent.Withdrawn withdrawn) {
            return moved(-withdrawn.amount(), open, taken);
        }
        if (event instanceof AccountEvent.Sent sent) {
            var more = changed(open, map -> {
                map.put(number, new Open(sent.to(), sent.amount()));
                return map;
            });
            return moved(-sent.amount(), more, taken);
        }
        if (event instanceof AccountEvent.Received received) {
            Map<String, Long> more = new HashMap<>(taken);
            more.put(received.from(), received.number());
            return moved(received.amount(), open, more);
        }
        var fewer = changed(open, map -> {
            map.remove(((AccountEvent.Settled) event).number());
            return map;
        });
        return moved(0, fewer, taken);
    }

    private AccountState moved(long change, Map<Long, Open> nowOpen, Map<String, Long> nowTaken) {
        return new AccountState(Math.addExact(balance, change), events + 1, nowOpen, nowTaken);
    }

    private static <K, V> Map<K, V> changed(Map<K, V> before, UnaryOperator<Map<K, V>> change) {
        return change.apply(new LinkedHashMap<>(before));
    }
}
