package io.shardbus.simulation.growth;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the control plane costs with many nodes. {@code -Dshardbus.growth.shards=10000} for more shards than 1000; the
 * figures are added to {@code target/control-plane-growth.txt}.
 */
class ControlPlaneGrowthTest {
    private static final int SHARDS = Integer.getInteger("shardbus.growth.shards", 1000);
    private static final Path FIGURES = Path.of("target", "control-plane-growth.txt");

    @ParameterizedTest
    @ValueSource(ints = {3, 10, 30, 100})
    void allocationTakesAsManyMessagesAsThereAreShardsAndNodesToTell(int nodes) throws IOException {
        ControlPlane world = new ControlPlane(nodes, SHARDS);
        long begin = System.nanoTime();
        world.region(0).want(IntStream.range(0, SHARDS).boxed().toList());
        ControlPlane.Cost cost = world.runUntil(world::allKnowAll);
        report("allocation", nodes, cost, begin);
        assertTrue(world.isBalanced(), () -> "shards of each host: " + world.counts());
        // asked, given, confirmed, told to all; and some of the heartbeats
        assertTrue(cost.messages() <= (long) SHARDS * (2 + nodes) + 2L * nodes + 1, cost::toString);
        assertTrue(cost.millis() <= 10, cost::toString);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 10, 30, 99})
    void aNodeThatJoinsHasItsShareAfterAsManyRoundsAsTheLimitWants(int nodes) throws IOException {
        ControlPlane world = new ControlPlane(nodes, SHARDS);
        world.region(0).want(IntStream.range(0, SHARDS).boxed().toList());
        world.runUntil(world::allKnowAll);
        long begin = System.nanoTime();
        world.add();
        ControlPlane.Cost cost = world.runUntil(() -> world.counts().size() == nodes + 1 && world.isBalanced());
        report("join", nodes, cost, begin);
        int moved = SHARDS / (nodes + 1) + 1;
        int rounds = moved / Math.max(1, Math.min(100, SHARDS / 10)) + 2;
        assertTrue(cost.millis() <= 10_000 + 100L * rounds, cost::toString);
    }

    private static void report(String what, int nodes, ControlPlane.Cost cost, long begin) throws IOException {
        long real = (System.nanoTime() - begin) / 1_000_000;
        String line = String.format(
                Locale.ROOT,
                "growth control-plane %s nodes=%d shards=%d simulated_ms=%d messages=%d"
                        + " messages_per_node=%d real_ms=%d%n",
                what,
                nodes,
                SHARDS,
                cost.millis(),
                cost.messages(),
                cost.messages() / nodes,
                real);
        Files.writeString(FIGURES, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
