package io.shardbus.simulation.seeds;

import io.shardbus.simulation.SimulationOptions;
import java.util.Locale;
import java.util.function.LongFunction;

/** The kinds of runs, and each one's share of all seeds. */
public enum Family {
    PLANNED_MOVES(20, SimulationOptions::plannedMoves),
    SLOW_MOVES(10, SimulationOptions::slowMoves),
    CRASHES(15, SimulationOptions::crashes),
    COORDINATOR_CHANGES(15, SimulationOptions::coordinatorChanges),
    PARTITIONS(15, SimulationOptions::partitions),
    RETURNS(5, SimulationOptions::returns),
    LONG_WORK(2, SimulationOptions::longWork),
    EVERYTHING(18, SimulationOptions::everything),
    WITNESSED(12, SimulationOptions::witnessed),
    LEASED(10, SimulationOptions::leased);

    private final int percent;
    private final LongFunction<SimulationOptions> options;

    Family(int percent, LongFunction<SimulationOptions> options) {
        this.percent = percent;
        this.options = options;
    }

    public SimulationOptions options(long seed) {
        return options.apply(seed);
    }

    /** How many of so many seeds are runs of this kind. */
    long share(long seeds) {
        return Math.max(1, seeds * percent / 100);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
