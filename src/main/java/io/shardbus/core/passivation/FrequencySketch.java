package io.shardbus.core.passivation;

import io.shardbus.core.passivation.PassivationSettings.Sketch;

/**
 * Estimates how often ids were used lately, those without a live entity included: a count-min sketch with small
 * counters, which are halved from time to time so that the past fades. The estimate may be too high, never too low.
 */
final class FrequencySketch {
    private static final int MOST_WIDE = 1 << 20;
    private static final int LEAST_WIDE = 16;

    private final int depth;
    private final int bits;
    private final int perWord;
    private final int mask;
    private final long largest;
    private final long halves;
    private final long[][] rows;
    private final double resetAfter;
    private double used;

    /** @param entities how many entities may be here: more of them need a wider sketch */
    FrequencySketch(Sketch settings, int entities) {
        depth = settings.depth();
        bits = settings.counterBits();
        perWord = Long.SIZE / bits;
        largest = (1L << bits) - 1;
        halves = halves(bits);
        long wanted = (long) entities * settings.widthMultiplier();
        int width = LEAST_WIDE;
        while (width < wanted && width < MOST_WIDE) {
            width <<= 1;
        }
        mask = width - 1;
        rows = new long[depth][Math.max(1, width / perWord)];
        resetAfter = Math.max(1, settings.resetMultiplier() * entities);
    }

    /** All bits of a word but the highest of each counter. */
    private static long halves(int bits) {
        long highest = 0;
        for (int bit = bits - 1; bit < Long.SIZE; bit += bits) {
            highest |= 1L << bit;
        }
        return ~highest;
    }

    private static long spread(String id) {
        long hash = id.hashCode() * 0x9E3779B97F4A7C15L;
        hash = (hash ^ (hash >>> 32)) * 0xD6E8FEB86659FD93L;
        return hash ^ (hash >>> 32);
    }

    private int place(long hash, int row) {
        long step = (hash >>> 32) | 1;
        return (int) (hash + row * step) & mask;
    }

    private long counter(int row, int place) {
        return (rows[row][place / perWord] >>> (place % perWord * bits)) & largest;
    }

    long frequency(String id) {
        long hash = spread(id);
        long fewest = largest;
        for (int row = 0; row < depth; row++) {
            fewest = Math.min(fewest, counter(row, place(hash, row)));
        }
        return fewest;
    }

    /** One more use. Only the counters that say the fewest rise: the others count the uses of other ids, too. */
    void use(String id) {
        long fewest = frequency(id);
        if (fewest < largest) {
            long hash = spread(id);
            for (int row = 0; row < depth; row++) {
                int place = place(hash, row);
                if (counter(row, place) == fewest) {
                    rows[row][place / perWord] += 1L << (place % perWord * bits);
                }
            }
        }
        used++;
        if (used >= resetAfter) {
            halve();
        }
    }

    private void halve() {
        for (long[] row : rows) {
            for (int word = 0; word < row.length; word++) {
                row[word] = (row[word] >>> 1) & halves;
            }
        }
        used /= 2;
    }
}
