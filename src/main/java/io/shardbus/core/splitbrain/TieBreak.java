package io.shardbus.core.splitbrain;

/** Rule that selects the half of an even split that goes on. */
public enum TieBreak {
    /** Neither. */
    NONE,
    /** The one with the lowest address of those that count. */
    LOWEST_ADDRESS,
    /** The one with the oldest of those that count. */
    OLDEST;

    boolean favours(Sides sides) {
        return switch (this) {
            case NONE -> false;
            case LOWEST_ADDRESS -> sides.hasLowestAddress();
            case OLDEST -> sides.hasOldest();
        };
    }
}
