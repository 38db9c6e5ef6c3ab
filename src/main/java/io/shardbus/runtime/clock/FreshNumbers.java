package io.shardbus.runtime.clock;

import java.security.SecureRandom;

/** Random numbers that name something apart from all others of its kind, also of other processes. Any thread. */
public final class FreshNumbers {
    private static final SecureRandom RANDOM = new SecureRandom();

    private FreshNumbers() {}

    public static long next() {
        return RANDOM.nextLong();
    }
}
