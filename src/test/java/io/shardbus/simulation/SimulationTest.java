package io.shardbus.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Many runs from many seeds; one seed alone with {@code -Dshardbus.simulation.seed=N}, more of them with {@code .seeds=N}. */
class SimulationTest {
    private static final long SEEDS = Long.getLong("shardbus.simulation.seeds", 200);

    private static LongStream seeds(long share) {
        Long one = Long.getLong("shardbus.simulation.seed");
        return one != null ? LongStream.of(one) : LongStream.rangeClosed(1, Math.max(1, SEEDS * share / 100));
    }

    private static void runAll(long share, LongFunction<SimulationOptions> options) {
        seeds(share).parallel().forEach(seed -> new Simulation(options.apply(seed)).run());
    }

    @Test
    void plannedMovesLoseDoubleFailAndReorderNothing() {
        runAll(25, SimulationOptions::plannedMoves);
    }

    @Test
    void crashesBreakNoPromise() {
        runAll(20, SimulationOptions::crashes);
    }

    @Test
    void coordinatorChangesBreakNoPromise() {
        runAll(20, SimulationOptions::coordinatorChanges);
    }

    @Test
    void partitionsAndFreezesBreakNoPromise() {
        runAll(15, SimulationOptions::partitions);
    }

    @Test
    void everythingTogetherBreaksNoPromise() {
        runAll(20, SimulationOptions::everything);
    }

    @Test
    void aWitnessOfDeathsBreaksNoPromise() {
        runAll(20, seed -> SimulationOptions.witnessed(SimulationOptions.everything(seed)));
        runAll(10, seed -> SimulationOptions.witnessed(SimulationOptions.crashes(seed)));
        runAll(10, seed -> SimulationOptions.witnessed(SimulationOptions.coordinatorChanges(seed)));
    }

    @Test
    void oneSeedIsOneRun() {
        assertEquals(digest(7), digest(7));
    }

    private static long digest(long seed) {
        SimulationOptions options = SimulationOptions.everything(seed);
        options.digesting = true;
        Simulation simulation = new Simulation(options);
        simulation.run();
        return simulation.timeline().digest();
    }
}
