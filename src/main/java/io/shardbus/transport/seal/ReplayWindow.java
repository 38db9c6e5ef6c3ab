package io.shardbus.transport.seal;

/**
 * Replay protection of one sender: each of its numbers is taken once. Messages may overtake each other a little; one
 * that is {@value #SIZE} numbers late or more counts as repeated.
 */
final class ReplayWindow {
    static final int SIZE = 1024;

    private final long[] seen = new long[SIZE / Long.SIZE];
    private long highest;

    /** Whether the number, 1 or more, comes for the first time. */
    boolean takes(long number) {
        if (number < 1 || number <= highest - SIZE) {
            return false;
        }
        if (number > highest) {
            long passed = Math.min(SIZE, number - highest);
            for (long i = 0; i < passed; i++) {
                seen[word(number - i)] &= ~bit(number - i);
            }
            highest = number;
        } else if ((seen[word(number)] & bit(number)) != 0) {
            return false;
        }
        seen[word(number)] |= bit(number);
        return true;
    }

    private static int word(long number) {
        return (int) (number % SIZE) / Long.SIZE;
    }

    private static long bit(long number) {
        return 1L << (number % Long.SIZE);
    }
}
