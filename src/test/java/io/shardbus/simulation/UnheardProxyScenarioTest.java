package io.shardbus.simulation;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A coordinator leaves, and a home right after it, before a proxy has heard of the next reign. */
class UnheardProxyScenarioTest {
    private static final String TYPE = "proxied";

    private static Simulation withProxies(long seed) {
        SimulationOptions options = SimulationOptions.plannedMoves(seed);
        options.faults.clear();
        options.nodes = 5;
        options.sendPause = 4;
        options.slowPercent = 0;
        options.more = List.of(new SimType(TYPE, 'f', 6, 12, 1, 6, 4));
        return new Simulation(options).runFor(4_000).withLoad().runFor(1_000);
    }

    private static List<SimNode> having(Simulation simulation, boolean proxy, SimNode coordinator) {
        return simulation.staying().stream()
                .filter(node -> node != coordinator && node.regions.of(TYPE).isProxy() == proxy)
                .toList();
    }

    private static boolean leavesUnheard(long seed) {
        Simulation simulation = withProxies(seed);
        SimNode first = simulation.coordinatorNode();
        assertNotNull(first);
        List<SimNode> proxies = having(simulation, true, first);
        List<SimNode> homes = having(simulation, false, first);
        if (proxies.isEmpty() || homes.size() < 2) {
            return false;
        }
        SimNode proxy = proxies.get(0);
        SimNode home = homes.get(homes.size() - 1);
        first.leave();
        while (!first.regions.haveLeft()) {
            simulation.runFor(1);
        }
        for (SimNode other : simulation.staying()) {
            if (other != proxy && other != home) {
                simulation.network().stall(other.id, proxy.id, 1_000);
            }
        }
        while (simulation.coordinatorNode() == first || simulation.coordinatorNode() == null) {
            simulation.runFor(1);
        }
        if (simulation.coordinatorNode() == home || simulation.coordinatorNode() == proxy) {
            return false;
        }
        home.leave();
        simulation.runFor(6_000).settle();
        return true;
    }

    @Test
    @DisplayName("a home that leaves loses no message of a proxy that has not heard of the reign")
    void losesNoMessageOfAProxy() {
        int runs = 0;
        for (long seed = 1; seed <= 16; seed++) {
            runs += leavesUnheard(seed) ? 1 : 0;
        }
        assertTrue(runs > 3, "runs " + runs);
    }
}
