package io.shardbus.core.remember;

import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The changes of a shard's ids that the store has not confirmed: those of the write under way, and those of the next.
 */
final class PendingChanges {
    static final int LARGEST_WRITE = 1_000;

    /** True: added; false: removed. */
    private final Map<String, Boolean> next = new LinkedHashMap<>();

    private final Map<String, Boolean> underWay = new LinkedHashMap<>();
    /** Ids of writes whose outcome is unknown. */
    private final Set<String> unsure = new HashSet<>();

    boolean isEmpty() {
        return next.isEmpty();
    }

    /** Adds the id: the latest change of an id counts. */
    void add(String id) {
        next.put(id, true);
    }

    void remove(String id) {
        next.put(id, false);
    }

    /** Takes a removal back of which the store has not heard; false if it may have. */
    boolean keep(String id) {
        boolean unsaid = Boolean.FALSE.equals(next.get(id)) && !underWay.containsKey(id) && !unsure.contains(id);
        if (unsaid) {
            next.remove(id);
        }
        return unsaid;
    }

    /** Begins a write, of the oldest changes. */
    void begin() {
        Iterator<Map.Entry<String, Boolean>> oldest = next.entrySet().iterator();
        while (oldest.hasNext() && underWay.size() < LARGEST_WRITE) {
            Map.Entry<String, Boolean> change = oldest.next();
            underWay.put(change.getKey(), change.getValue());
            oldest.remove();
        }
    }

    Set<String> added() {
        return underWay(true);
    }

    Set<String> removed() {
        return underWay(false);
    }

    private Set<String> underWay(boolean added) {
        Set<String> ids = new LinkedHashSet<>();
        underWay.forEach((id, adds) -> {
            if (adds == added) {
                ids.add(id);
            }
        });
        return ids;
    }

    /** The write is stored: gives each of its changes on which there is no later word to the consumer. */
    void stored(BiConsumer<String, Boolean> settled) {
        Map<String, Boolean> done = new LinkedHashMap<>(underWay);
        underWay.clear();
        done.forEach((id, added) -> {
            unsure.remove(id);
            if (!next.containsKey(id)) {
                settled.accept(id, added);
            }
        });
    }

    /** The outcome of the write is unknown: the next one repeats it. */
    void failed() {
        underWay.forEach((id, added) -> {
            unsure.add(id);
            next.putIfAbsent(id, added);
        });
        underWay.clear();
    }
}
