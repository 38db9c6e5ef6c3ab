package io.shardbus.core.passivation;

import io.shardbus.core.passivation.PassivationSettings.Replacing;
import org.jspecify.annotations.Nullable;

/**
 * Eviction order of entities: it selects the next victim when there are too many. It does not count them against a
 * limit.
 */
interface Replacement {
    static Replacement of(Replacing settings) {
        return switch (settings.order()) {
            case LEAST_RECENT -> new LeastRecentlyUsed(settings.proportions());
            case MOST_RECENT -> new MostRecentlyUsed();
            case LEAST_FREQUENT -> new LeastFrequentlyUsed(false);
            case LEAST_FREQUENT_AGING -> new LeastFrequentlyUsed(true);
        };
    }

    int size();

    /** Sets the limit: the levels of a segmented order are shares of it. */
    void limit(int entities);

    /** An entity got its first message. */
    void add(PassivationNode node);

    /** An entity of this order got a message. */
    void touch(PassivationNode node);

    /** An entity of this order ended, or goes to another order. */
    void remove(PassivationNode node);

    /** The entity that goes next; null if there is none. */
    @Nullable
    PassivationNode next();

    /** Removes the entity that goes next, as there are too many. */
    default @Nullable PassivationNode evict() {
        PassivationNode victim = next();
        if (victim != null) {
            remove(victim);
        }
        return victim;
    }
}
