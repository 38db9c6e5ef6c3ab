package io.shardbus.simulation.seeds;

import io.shardbus.simulation.Schedule;
import io.shardbus.simulation.Simulation;
import io.shardbus.simulation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a smaller schedule that breaks the same promise: it leaves out faults, then bursts of messages, in ever
 * smaller parts, and keeps what still fails (delta debugging).
 */
final class Shrinker {
    private static final int MOST_RUNS = Integer.getInteger("shardbus.simulation.shrink", 600);

    private final Family family;
    private final long seed;
    private final Violation.Kind kind;
    private final Function<Schedule, @Nullable Violation> runner;
    private Schedule smallest;
    private Violation shown;
    private int runs;

    Shrinker(Family family, long seed, Violation first) {
        this(family, seed, first, schedule -> run(family, seed, schedule));
    }

    /**
     * @param runner what a run under a schedule breaks; null for nothing
     */
    Shrinker(Family family, long seed, Violation first, Function<Schedule, @Nullable Violation> runner) {
        this.runner = runner;
        this.family = family;
        this.seed = seed;
        this.kind = first.kind();
        this.smallest = Schedule.of(family.options(seed));
        this.shown = first;
    }

    /** What is left, how to see it again, and its timeline. */
    String shrink() {
        int faults = smallest.steps().size();
        int bursts = smallest.bursts().size();
        reduce(smallest.steps(), smallest::withSteps);
        reduce(smallest.bursts(), smallest::withBursts);
        reduce(smallest.steps(), smallest::withSteps);
        return "seed " + seed + " of " + family + " breaks " + kind + "; after " + runs + " runs "
                + smallest.steps().size() + " of " + faults + " faults and "
                + smallest.bursts().size() + " of " + bursts + " bursts are left:\n" + smallest.steps() + "\n"
                + shown.getMessage() + "\nreplay with -Dtest=SimulationTest -Dshardbus.simulation.seed=" + seed
                + ", and this smaller schedule alone with -Dshardbus.simulation.family=" + family.name()
                + " -Dshardbus.simulation.keep=" + smallest + "\n";
    }

    Schedule smallest() {
        return smallest;
    }

    private <T> void reduce(List<T> whole, Function<List<T>, Schedule> with) {
        List<T> kept = new ArrayList<>(whole);
        for (int size = Math.max(1, kept.size() / 2); size >= 1 && runs < MOST_RUNS; size /= 2) {
            for (int from = kept.size() - size; from > -size && runs < MOST_RUNS; from -= size) {
                List<T> fewer = new ArrayList<>(kept);
                fewer.subList(Math.max(0, from), from + size).clear();
                if (stillBreaks(with.apply(fewer))) {
                    kept = fewer;
                }
            }
        }
    }

    private boolean stillBreaks(Schedule candidate) {
        runs++;
        Violation broken = runner.apply(candidate);
        if (broken == null || broken.kind() != kind) {
            return false;
        }
        smallest = candidate;
        shown = broken;
        return true;
    }

    private static @Nullable Violation run(Family family, long seed, Schedule candidate) {
        try {
            new Simulation(family.options(seed), candidate).run();
            return null;
        } catch (Violation broken) {
            return broken;
        }
    }
}
