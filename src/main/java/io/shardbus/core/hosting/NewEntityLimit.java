package io.shardbus.core.hosting;

import java.util.HashSet;
import java.util.Set;

/**
 * Rate limit of the new entities that clients of the event bus may start through one node. An id that a client has
 * addressed here not long ago passes; one that is new takes a place, of which so many come free per second. Places for
 * {@value #SECONDS_AHEAD} seconds are kept for a burst. What was remembered of ids is bounded, so that an id may count
 * as new again.
 *
 * <p>Single owner: called on one context.
 */
public final class NewEntityLimit {
    static final int SECONDS_AHEAD = 10;
    /** Ids that are remembered at most, in each of two generations. */
    static final int MOST_KNOWN = 10_000;

    private static final long MILLIS = 1_000;

    private final long perSecond;
    private Set<String> recent = new HashSet<>();
    private Set<String> earlier = Set.of();
    /** Free places, in thousandths. */
    private long places;

    private long filledAt;

    /**
     * @param perSecond 0 for no limit
     * @param now elapsed milliseconds
     */
    public NewEntityLimit(int perSecond, long now) {
        this.perSecond = perSecond;
        this.places = most();
        this.filledAt = now;
    }

    private long most() {
        return perSecond * SECONDS_AHEAD * MILLIS;
    }

    /** Whether a client's message for the entity is taken at this moment. */
    public boolean admits(String entityId, long now) {
        if (perSecond == 0 || recent.contains(entityId)) {
            return true;
        }
        if (!earlier.contains(entityId)) {
            places = Math.min(most(), places + Math.max(0, now - filledAt) * perSecond);
            filledAt = Math.max(filledAt, now);
            if (places < MILLIS) {
                return false;
            }
            places -= MILLIS;
        }
        if (recent.size() >= MOST_KNOWN) {
            earlier = recent;
            recent = new HashSet<>();
        }
        recent.add(entityId);
        return true;
    }
}
