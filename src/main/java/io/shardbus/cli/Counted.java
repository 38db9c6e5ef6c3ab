package io.shardbus.cli;

import java.util.Locale;

/** Numbers as texts for people. */
final class Counted {
    private static final double SECOND = 1_000;
    private static final double MILLISECOND = 1_000;

    private Counted() {}

    /**
     * One thing, two things.
     *
     * @param thing the word for one of them, whose plural ends with an s
     */
    static String of(long count, String thing) {
        return count + " " + thing + (count == 1 ? "" : "s");
    }

    static String seconds(long millis) {
        return Math.round(millis / SECOND * 10) / 10.0 + " s";
    }

    /** Milliseconds with all three decimals: the heading of a column has the unit. */
    static String millis(long micros) {
        return String.format(Locale.ROOT, "%.3f", micros / MILLISECOND);
    }
}
