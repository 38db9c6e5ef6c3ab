package io.shardbus.simulation;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.NodeId;
import io.shardbus.simulation.SimulationOptions.Witnesses;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A side goes on without others, loses a node that joined it later, meets the others, and dies: the others and the node
 * know that all whom they lost are dead.
 */
class LeftBehindScenarioTest {
    private static final long DECIDED = 700;

    private static Simulation withAWitness(long seed, SplitRule rule) {
        SimulationOptions options = SimulationOptions.calm(seed);
        options.nodes = 5;
        options.splitRule = rule;
        options.witness = Witnesses.TRUTHFUL;
        return new Simulation(options).runFor(6_000).withLoad().runFor(1_000);
    }

    private static List<NodeId> ids(Simulation simulation) {
        return simulation.staying().stream().map(node -> node.id).toList();
    }

    private static void split(Simulation simulation, List<List<NodeId>> sides) {
        simulation.network().split(sides);
        simulation.membership().splitSeen();
    }

    private static List<NodeId> and(List<NodeId> some, List<NodeId> more) {
        List<NodeId> all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }

    private static void die(Simulation simulation, List<NodeId> nodes) {
        nodes.forEach(node -> simulation.node(node).crash());
        simulation.scheduler().after(300, () -> nodes.forEach(simulation.membership()::suspect));
    }

    private static void oneReigns(Simulation simulation, long millis) {
        for (long until = simulation.scheduler().now() + millis;
                simulation.scheduler().now() < until; ) {
            simulation.runFor(100);
            List<SimNode> reigning = simulation.alive().stream()
                    .filter(node -> node.control.machine().reign() != null)
                    .toList();
            assertTrue(
                    reigning.size() <= 1,
                    () -> reigning + " reign at " + simulation.scheduler().now());
        }
    }

    @Test
    @DisplayName("a node that joined after others were left behind does not go on beside them")
    void aNodeThatJoinedLater() {
        for (SplitRule rule : List.of(SplitRule.KEEP_MAJORITY, SplitRule.LEASE_MAJORITY)) {
            for (long seed = 1; seed <= 4; seed++) {
                Simulation simulation = withAWitness(seed, rule);
                List<NodeId> all = ids(simulation);
                List<NodeId> dying = all.subList(0, 3);
                List<NodeId> apart = all.subList(3, 5);
                split(simulation, List.of(dying, apart));
                simulation.runFor(5_000);
                List<NodeId> joiner = List.of(simulation.addNodeBeside(simulation.node(dying.get(0)), "").id);
                simulation.runFor(2_000);
                split(simulation, List.of(dying, apart, joiner));
                simulation.runFor(DECIDED);
                simulation.network().split(List.of(and(dying, apart), joiner));
                simulation.network().resume();
                simulation.membership().meet(0);
                simulation.runFor(200);
                die(simulation, dying);
                oneReigns(simulation, 30_000);
            }
        }
    }
}
