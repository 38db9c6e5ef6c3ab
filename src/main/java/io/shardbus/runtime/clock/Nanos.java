package io.shardbus.runtime.clock;

/** Nanoseconds that only rise, for the length of calls; from any begin. */
public final class Nanos {
    private Nanos() {}

    public static long now() {
        return System.nanoTime();
    }
}
