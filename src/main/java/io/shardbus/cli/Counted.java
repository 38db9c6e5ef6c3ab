package io.shardbus.cli;

/** Numbers of things in words: one thing, two things. */
final class Counted {
    private static final double SECOND = 1_000;

    private Counted() {}

    /** @param thing the word for one of them, whose plural ends with an s */
    static String of(long count, String thing) {
        return count + " " + thing + (count == 1 ? "" : "s");
    }

    static String seconds(long millis) {
        return Math.round(millis / SECOND * 10) / 10.0 + " s";
    }
}
