package io.shardbus.core.latency;

import io.shardbus.model.LatencyReport.HotEntity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The entities of a lane with the most messages, and those that handled messages for longest, in the last half to whole
 * minute. Each of the two is a summary of its own, so that a slow entity with few messages is found among many quick
 * ones. A message allocates nothing. Single writer.
 */
public final class HotEntities {
    /** Length of a window in milliseconds; the last complete one and the present one are reported. */
    static final long WINDOW = 30_000;

    /** From one measured message the number of messages cannot be estimated. */
    private static final int LEAST = 2;

    private static final double MICROS_PER_MILLI = 1000;

    private final int oneOf;
    private final SpaceSaving byMessages = new SpaceSaving();
    private final SpaceSaving byTime = new SpaceSaving();
    private long begin;
    private Map<String, Count> earlier = Map.of();
    private long earlierMillis;

    /** Estimates of a window. */
    private record Count(String id, int shard, long messages, long micros, int evidence) {
        Count(SpaceSaving.Place place) {
            this(place.id(), place.shard(), place.messages(), place.micros(), place.evidence());
        }

        Count plus(Count later) {
            return new Count(
                    id, later.shard, messages + later.messages, micros + later.micros, evidence + later.evidence);
        }

        /** Of the same window, from the other summary. */
        Count withTimeOf(Count timed) {
            return new Count(id, shard, messages, timed.micros, Math.max(evidence, timed.evidence));
        }
    }

    /**
     * @param oneOf one of so many messages is measured, in the mean
     * @param now elapsed milliseconds
     */
    HotEntities(int oneOf, long now) {
        this.oneOf = oneOf;
        this.begin = now;
    }

    /**
     * An entity has handled a message that is measured or long. Long messages are few: each counts for its time, and no
     * other one is estimated from it.
     */
    void handled(String id, int shard, boolean measured, boolean isLong, long micros) {
        if (measured) {
            byMessages.of(id, shard).add(1, oneOf, isLong ? micros : micros * oneOf, 1);
        }
        if (isLong) {
            byTime.of(id, shard).add(micros, 1, micros, LEAST);
        } else if (measured && micros > 0) {
            byTime.of(id, shard).add(micros * oneOf, oneOf, micros * oneOf, 1);
        }
    }

    /** Time passed: a window that is over is kept, and the next one begins. */
    void tick(long now) {
        if (now - begin < WINDOW) {
            return;
        }
        boolean isRecent = now - begin < 2 * WINDOW;
        earlier = isRecent ? counts() : Map.of();
        earlierMillis = isRecent ? now - begin : 0;
        byMessages.clear();
        byTime.clear();
        begin = now;
    }

    /** Each figure is from the summary that ranks by it, where the entity has a place there. */
    private Map<String, Count> counts() {
        Map<String, Count> counts = new HashMap<>();
        byMessages.forEach(place -> counts.put(place.id(), new Count(place)));
        byTime.forEach(place -> counts.merge(place.id(), new Count(place), Count::withTimeOf));
        return counts;
    }

    /** The hottest entities by either measure. */
    List<HotEntity> hottest(long now) {
        Map<String, Count> sums = new HashMap<>(earlier);
        counts().forEach((id, count) -> sums.merge(id, count, Count::plus));
        double millis = Math.max(1_000, now - begin + earlierMillis);
        return hottest(sums.values().stream()
                .filter(count -> count.evidence() >= LEAST)
                .map(count -> new HotEntity(
                        count.id(),
                        count.shard(),
                        count.messages() * 1000 / millis,
                        // a message may have begun before the windows that are reported
                        Math.min(1, count.micros() / MICROS_PER_MILLI / millis)))
                .toList());
    }

    /** Of these entities those with the most messages and the busiest ones; those with the most messages first. */
    public static List<HotEntity> hottest(Collection<HotEntity> all) {
        Comparator<HotEntity> byRate =
                Comparator.comparingDouble(HotEntity::perSecond).reversed();
        Comparator<HotEntity> byBusyTime =
                Comparator.comparingDouble(HotEntity::busy).reversed();
        Set<HotEntity> chosen = new HashSet<>();
        for (Comparator<HotEntity> order : List.of(byRate, byBusyTime)) {
            all.stream().sorted(order).limit(HotEntity.MOST).forEach(chosen::add);
        }
        List<HotEntity> sorted = new ArrayList<>(chosen);
        sorted.sort(byRate.thenComparing(HotEntity::id));
        return List.copyOf(sorted);
    }
}
