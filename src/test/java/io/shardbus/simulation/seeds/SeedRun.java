package io.shardbus.simulation.seeds;

import io.shardbus.simulation.Violation;

/** One seed of one family, for a caller that has another copy of these classes. */
public final class SeedRun {
    private SeedRun() {}

    /** The kind of promise that it breaks, and how; empty if it breaks none. */
    public static String broken(String family, long seed) {
        try {
            Family.valueOf(family).run(seed, false);
            return "";
        } catch (Violation violation) {
            return violation.kind() + ": " + violation.getMessage();
        }
    }
}
