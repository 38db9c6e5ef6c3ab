package io.shardbus.simulation.seeds;

import io.shardbus.simulation.FoundingOptions;
import io.shardbus.simulation.Simulation;
import io.shardbus.simulation.SimulationOptions;
import io.shardbus.simulation.stored.StoredWorld;
import io.shardbus.simulation.stored.StoredWorld.Extra;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** The kinds of runs, and each one's share of all seeds. */
public enum Family {
    PLANNED_MOVES(14),
    PROMPT_MOVES(5),
    SLOW_MOVES(9),
    CRASHES(10),
    COORDINATOR_CHANGES(13),
    PARTITIONS(13),
    STRATEGIES(8),
    RETURNS(5),
    LATE_WORDS(6),
    LONG_WORK(2),
    EVERYTHING(10),
    WITNESSED(8),
    OUTLIVED(4),
    LEASED(5),
    REMEMBERED(11),
    PASSIVATING(5),
    DIFFERENT_LEASES(6),
    CLOCKS(8),
    INTRUDERS(4),
    DIFFERENT_STRATEGIES(6),
    FOUNDINGS(10),
    HOSTS(5),
    REVIVALS(3),
    SEVERAL_TYPES(8),
    ORDERED(8),
    FAREWELLS(6),
    STORED(12),
    FOLLOWED(6),
    ERASED(4),
    REMINDED(4),
    SAVED(5);

    /** Those of {@link StoredWorld}. */
    private static final Set<Family> WITHOUT_SCHEDULE = EnumSet.of(STORED, FOLLOWED, ERASED, REMINDED, SAVED);

    private final int percent;

    Family(int percent) {
        this.percent = percent;
    }

    /** Whether its runs follow a schedule of faults and bursts, parts of which can be left out. */
    boolean hasSchedule() {
        return !WITHOUT_SCHEDULE.contains(this);
    }

    /**
     * Runs a seed to its end.
     *
     * @return the digest of all events, if it is wanted
     * @throws io.shardbus.simulation.Violation the promise that it breaks
     */
    public long run(long seed, boolean digesting) {
        if (!hasSchedule()) {
            return new StoredWorld(seed, extras(seed), digesting).run();
        }
        SimulationOptions options = options(seed);
        options.digesting = digesting;
        return new Simulation(options).run().digest();
    }

    private Set<Extra> extras(long seed) {
        boolean isEven = seed % 2 == 0;
        return switch (this) {
            case FOLLOWED -> Set.of(Extra.FOLLOWED);
            case ERASED -> isEven ? Set.of(Extra.ERASED, Extra.FOLLOWED) : Set.of(Extra.ERASED);
            case REMINDED -> isEven ? Set.of(Extra.REMINDED, Extra.ERASED) : Set.of(Extra.REMINDED);
            case SAVED -> {
                Set<Extra> extras = EnumSet.of(Extra.SAVED);
                if (isEven) {
                    extras.add(Extra.ERASED);
                }
                if (seed % 3 == 0) {
                    extras.add(Extra.REMINDED);
                }
                yield extras;
            }
            default -> Set.of();
        };
    }

    /** @throws UnsupportedOperationException for the families of {@link StoredWorld} */
    public SimulationOptions options(long seed) {
        return switch (this) {
            case PLANNED_MOVES -> SimulationOptions.plannedMoves(seed);
            case PROMPT_MOVES -> SimulationOptions.promptMoves(seed);
            case SLOW_MOVES -> SimulationOptions.slowMoves(seed);
            case CRASHES -> SimulationOptions.crashes(seed);
            case COORDINATOR_CHANGES -> SimulationOptions.coordinatorChanges(seed);
            case PARTITIONS -> SimulationOptions.partitions(seed);
            case STRATEGIES -> SimulationOptions.strategies(seed);
            case RETURNS -> SimulationOptions.returns(seed);
            case LATE_WORDS -> SimulationOptions.lateWords(seed);
            case LONG_WORK -> SimulationOptions.longWork(seed);
            case EVERYTHING -> SimulationOptions.everything(seed);
            case WITNESSED -> SimulationOptions.witnessed(seed);
            case OUTLIVED -> SimulationOptions.outlived(seed);
            case LEASED -> SimulationOptions.leased(seed);
            case REMEMBERED -> SimulationOptions.remembered(seed);
            case PASSIVATING -> SimulationOptions.passivating(seed);
            case DIFFERENT_LEASES -> SimulationOptions.differentLeases(seed);
            case CLOCKS -> SimulationOptions.clocks(seed);
            case INTRUDERS -> SimulationOptions.intruders(seed);
            case DIFFERENT_STRATEGIES -> SimulationOptions.differentStrategies(seed);
            case FOUNDINGS -> FoundingOptions.foundings(seed);
            case HOSTS -> FoundingOptions.hosts(seed);
            case REVIVALS -> FoundingOptions.revivals(seed);
            case FAREWELLS -> SimulationOptions.farewells(seed);
            case SEVERAL_TYPES -> SimulationOptions.severalTypes(seed);
            case ORDERED -> SimulationOptions.ordered(seed);
            case STORED, FOLLOWED, ERASED, REMINDED, SAVED ->
                throw new UnsupportedOperationException(this + " has no options");
        };
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
