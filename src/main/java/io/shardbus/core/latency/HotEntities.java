package io.shardbus.core.latency;

import io.shardbus.model.LatencyReport.HotEntity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The entities of a lane with the most measured messages of the last half to whole minute. The summary "Space-Saving"
 * (Metwally, Agrawal, El Abbadi, 2005): a fixed number of places, and an entity without one takes that of the entity
 * with fewest messages, with its count as an error. What is reported is the count without that error, which is never
 * too high. A message allocates nothing. Single writer.
 */
final class HotEntities {
    /** Number of entities whose messages are counted at a time. */
    static final int PLACES = 128;

    /** Length of a window in milliseconds; the last complete one and the present one are reported. */
    static final long WINDOW = 30_000;

    /** From one measured message the number of messages cannot be estimated. */
    private static final long LEAST = 2;

    private static final double MICROS_PER_MILLI = 1000;

    private final int oneOf;
    private final Place[] places = new Place[PLACES];
    private int used;
    private long begin;
    private List<Count> earlier = List.of();
    private long earlierMillis;

    private static final class Place {
        private String id = "";
        private int shard;
        private long count;
        private long error;
        private long micros;
    }

    private record Count(String id, int shard, long messages, long micros) {
        Count plus(Count other) {
            return new Count(id, other.shard, messages + other.messages, micros + other.micros);
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

    /** An entity has handled a message that is measured. */
    void handled(String id, int shard, long micros) {
        Place place = place(id, shard);
        place.count++;
        place.micros += micros;
    }

    private Place place(String id, int shard) {
        int least = 0;
        for (int i = 0; i < used; i++) {
            Place known = places[i];
            if (known.shard == shard && known.id.equals(id)) {
                return known;
            }
            least = known.count < places[least].count ? i : least;
        }
        boolean isFull = used == PLACES;
        Place taken = isFull ? places[least] : new Place();
        if (!isFull) {
            places[used++] = taken;
        }
        taken.id = id;
        taken.shard = shard;
        taken.error = taken.count;
        taken.micros = 0;
        return taken;
    }

    /** Time passed: a window that is over is kept, and the next one begins. */
    void tick(long now) {
        if (now - begin < WINDOW) {
            return;
        }
        boolean isRecent = now - begin < 2 * WINDOW;
        earlier = isRecent ? counts() : List.of();
        earlierMillis = isRecent ? now - begin : 0;
        Arrays.fill(places, null);
        used = 0;
        begin = now;
    }

    private List<Count> counts() {
        List<Count> counts = new ArrayList<>();
        for (int i = 0; i < used; i++) {
            Place place = places[i];
            counts.add(new Count(place.id, place.shard, place.count - place.error, place.micros));
        }
        return counts;
    }

    /** The entities with the most messages, these first. */
    List<HotEntity> hottest(long now) {
        Map<String, Count> sums = new HashMap<>();
        earlier.forEach(count -> sums.put(count.id(), count));
        counts().forEach(count -> sums.merge(count.id(), count, Count::plus));
        double millis = Math.max(1_000, now - begin + earlierMillis);
        return sums.values().stream()
                .filter(count -> count.messages() >= LEAST)
                .map(count -> new HotEntity(
                        count.id(),
                        count.shard(),
                        count.messages() * oneOf * 1000 / millis,
                        count.micros() * oneOf / MICROS_PER_MILLI / millis))
                .sorted(Comparator.comparingDouble(HotEntity::perSecond).reversed())
                .limit(HotEntity.MOST)
                .toList();
    }
}
