package io.shardbus.core.latency;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The entities with the largest sums of a weight, in a fixed number of places: the summary "Space-Saving" (Metwally,
 * Agrawal, El Abbadi, 2005). An entity without a place takes that of the entity with the smallest sum, and inherits
 * this sum for its rank only: what it is said to have is what was added to it, and never too much. Adding to an entity
 * allocates nothing once all places are taken. Single writer.
 */
final class SpaceSaving {
    /** Number of entities that are summed up at a time. */
    static final int PLACES = 128;

    private final Place[] places = new Place[PLACES];
    private int used;

    /** An entity with its sums since it took its place. */
    static final class Place {
        private String id = "";
        private int shard;
        private long rank;
        private long messages;
        private long micros;
        private int evidence;

        String id() {
            return id;
        }

        int shard() {
            return shard;
        }

        long messages() {
            return messages;
        }

        long micros() {
            return micros;
        }

        int evidence() {
            return evidence;
        }

        /**
         * Adds to the sums.
         *
         * @param weight what entities are ranked by
         * @param more the messages that this one stands for
         * @param time their microseconds
         * @param proof how sure it is
         */
        void add(long weight, long more, long time, int proof) {
            rank += weight;
            messages += more;
            micros += time;
            evidence += proof;
        }
    }

    /** The place of an entity, which gets one if it has none. */
    Place of(String id, int shard) {
        int least = 0;
        for (int i = 0; i < used; i++) {
            Place known = places[i];
            if (known.shard == shard && known.id.equals(id)) {
                return known;
            }
            least = known.rank < places[least].rank ? i : least;
        }
        boolean isFull = used == PLACES;
        Place taken = isFull ? places[least] : new Place();
        if (!isFull) {
            places[used++] = taken;
        }
        taken.id = id;
        taken.shard = shard;
        taken.messages = 0;
        taken.micros = 0;
        taken.evidence = 0;
        return taken;
    }

    void forEach(Consumer<Place> reader) {
        for (int i = 0; i < used; i++) {
            reader.accept(places[i]);
        }
    }

    void clear() {
        Arrays.fill(places, null);
        used = 0;
    }
}
