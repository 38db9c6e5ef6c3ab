package io.shardbus.core.latency;

/**
 * The buckets of a histogram of microseconds: one for each value below 16, then eight for each doubling, so that a
 * bucket is at most an eighth of its values wide. The last one takes all that is longer.
 */
public final class Buckets {
    private static final int EXACT = 16;
    private static final int EXACT_BITS = 4;
    private static final int SUB_BITS = 3;
    private static final int SUB = 1 << SUB_BITS;
    /** 36 minutes. */
    private static final long LONGEST = (1L << 31) - 1;

    public static final int COUNT = index(LONGEST) + 1;

    private Buckets() {}

    static int index(long micros) {
        long value = Math.max(0, Math.min(micros, LONGEST));
        if (value < EXACT) {
            return (int) value;
        }
        int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
        int sub = (int) (value >>> (exponent - SUB_BITS)) & (SUB - 1);
        return EXACT + (exponent - EXACT_BITS) * SUB + sub;
    }

    /** The longest time, in microseconds, that the bucket takes. */
    public static long upper(int index) {
        if (index < EXACT) {
            return index;
        }
        int exponent = EXACT_BITS + (index - EXACT) / SUB;
        int sub = (index - EXACT) % SUB;
        return ((long) (SUB + sub + 1) << (exponent - SUB_BITS)) - 1;
    }
}
