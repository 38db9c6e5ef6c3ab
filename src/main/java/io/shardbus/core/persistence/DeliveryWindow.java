package io.shardbus.core.persistence;

import java.util.Map;
import java.util.TreeMap;

/**
 * Deliveries that an entity has taken from producers that number them: the highest number of each producer. Numbers of
 * one producer take effect in their order and once each: one that is not above the highest was taken, and one that
 * comes before the delivery ahead of it waits until its producer has sent that again.
 */
public final class DeliveryWindow {
    /**
     * The most producers of one entity. Producers are not forgotten, so a new one is refused when this number is
     * reached.
     */
    public static final int MOST_PRODUCERS = 4096;

    /** Shared and immutable before the first delivery: most entities have none. */
    private Map<String, Long> taken = Map.of();

    /** Status of a delivery that arrives. */
    public enum DeliveryStatus {
        /** It is executed. */
        NEXT,
        /** It was executed: it is confirmed. */
        TAKEN,
        /** One ahead of it has not been executed. */
        GAP,
        /** The entity knows as many producers as it can. */
        TOO_MANY
    }

    /** @param previous the number of the delivery ahead that its producer knows as unsettled; 0 for none */
    public DeliveryStatus judge(String producer, long number, long previous) {
        return judge(producer, number, previous, this);
    }

    /**
     * The same for an entity that has also taken what another window has.
     *
     * @param more the other window, or this one
     */
    public DeliveryStatus judge(String producer, long number, long previous, DeliveryWindow more) {
        long highest = Math.max(highest(producer), more.highest(producer));
        if (number <= highest) {
            return DeliveryStatus.TAKEN;
        }
        if (previous > highest) {
            return DeliveryStatus.GAP;
        }
        return highest == 0 && producers(more) >= MOST_PRODUCERS ? DeliveryStatus.TOO_MANY : DeliveryStatus.NEXT;
    }

    private long producers(DeliveryWindow more) {
        return more == this
                ? taken.size()
                : taken.size()
                        + more.taken.keySet().stream()
                                .filter(producer -> !taken.containsKey(producer))
                                .count();
    }

    /** The highest number of this producer that was taken; 0 for none. */
    public long highest(String producer) {
        return taken.getOrDefault(producer, 0L);
    }

    /** The delivery was executed; a lower number than the highest changes nothing. */
    public void take(String producer, long number) {
        if (taken.isEmpty()) {
            taken = new TreeMap<>();
        }
        taken.merge(producer, number, Math::max);
    }

    /** By producer; a copy. */
    public Map<String, Long> taken() {
        return new TreeMap<>(taken);
    }

    public boolean isEmpty() {
        return taken.isEmpty();
    }
}
