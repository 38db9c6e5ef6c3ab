package io.shardbus.runtime.region;

import io.shardbus.core.entity.StateLoss;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * States that are lost because their region ends, as in a stop of the whole cluster: their number, and the ids of a
 * few. Any thread.
 */
final class LossesAtEnd {
    private static final int MOST_NAMES = 10;

    private final LongAdder entities = new LongAdder();
    private final ConcurrentSkipListSet<String> named = new ConcurrentSkipListSet<>();

    void add(StateLoss loss) {
        entities.add(loss.entities());
        String id = loss.entityId();
        if (id != null && named.size() < MOST_NAMES) {
            named.add(id);
        }
    }

    long entities() {
        return entities.sum();
    }

    /** Some ids, and that there are more. */
    String names() {
        long more = entities() - named.size();
        String ids = named.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
        return more <= 0 ? ids : ids.isEmpty() ? "ids not known" : ids + " and " + more + " more";
    }
}
