package io.shardbus.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.NodeId;
import io.shardbus.simulation.SimulationOptions.Witnesses;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Members go on without a node, let others join them, and die: the node knows that all whom it lost are dead, and must
 * not go on beside those that joined.
 */
class DeathsScenarioTest {
    private static Simulation cluster(long seed, SplitRule rule, int nodes) {
        SimulationOptions options = SimulationOptions.calm(seed);
        options.nodes = nodes;
        options.splitRule = rule;
        options.witness = Witnesses.TRUTHFUL;
        return new Simulation(options).runFor(6_000).withLoad().runFor(1_000);
    }

    private static List<NodeId> ids(Simulation simulation) {
        return simulation.staying().stream().map(node -> node.id).toList();
    }

    private static List<NodeId> join(Simulation simulation, NodeId beside) {
        List<NodeId> joined = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            joined.add(simulation.addNodeBeside(simulation.node(beside), "").id);
        }
        return joined;
    }

    private static void die(Simulation simulation, List<NodeId> nodes) {
        nodes.forEach(node -> simulation.node(node).crash());
        simulation.scheduler().after(300, () -> nodes.forEach(simulation.membership()::suspect));
    }

    private static List<SimNode> reigning(Simulation simulation) {
        return simulation.alive().stream()
                .filter(node -> !node.isSilent() && node.control.machine().reign() != null)
                .toList();
    }

    /** No node reigns but those that joined. */
    private static void onlyTheyReign(Simulation simulation, List<NodeId> joined, long millis) {
        for (long until = simulation.scheduler().now() + millis;
                simulation.scheduler().now() < until; ) {
            simulation.runFor(100);
            reigning(simulation)
                    .forEach(node -> assertTrue(
                            joined.contains(node.id),
                            () -> node + " reigns at " + simulation.scheduler().now()));
        }
    }

    /** One after the other, so that those that are left are the majority each time. */
    private static void dieInTurn(Simulation simulation, List<NodeId> nodes) {
        nodes.forEach(node -> {
            die(simulation, List.of(node));
            simulation.runFor(400);
        });
    }

    @Test
    @DisplayName("a node that was cut off does not go on as all whom it lost are dead within a lease")
    void allDieWithinALease() {
        for (SplitRule rule : List.of(SplitRule.KEEP_MAJORITY, SplitRule.STATIC_QUORUM)) {
            for (long seed = 1; seed <= 2; seed++) {
                Simulation simulation = cluster(seed, rule, 4);
                List<NodeId> all = ids(simulation);
                List<NodeId> dying = all.subList(0, 3);
                simulation.network().split(List.of(dying, all.subList(3, 4)));
                simulation.membership().splitSeen();
                simulation.runFor(500);
                List<NodeId> joined = join(simulation, dying.get(0));
                simulation.runFor(500);
                dieInTurn(simulation, dying);
                onlyTheyReign(simulation, joined, 15_000);
                boolean keepsTheMajority = rule == SplitRule.KEEP_MAJORITY;
                assertEquals(keepsTheMajority ? 1 : 0, reigning(simulation).size());
                simulation.network().heal();
                simulation.membership().merge();
                simulation.settle();
            }
        }
    }

    @Test
    @DisplayName("a node that stood still for long does not go on as all whom it finds missing are dead")
    void allDieWhileANodeStandsStill() {
        for (long seed = 1; seed <= 2; seed++) {
            Simulation simulation = cluster(seed, SplitRule.KEEP_MAJORITY, 4);
            List<NodeId> all = ids(simulation);
            List<NodeId> dying = all.subList(0, 3);
            SimNode frozen = simulation.node(all.get(3));
            simulation.network().split(List.of(dying, all.subList(3, 4)));
            frozen.freeze();
            simulation.membership().suspect(frozen.id);
            simulation.runFor(5_000);
            List<NodeId> joined = join(simulation, dying.get(0));
            simulation.runFor(20_000);
            dieInTurn(simulation, dying);
            simulation.runFor(2_000);
            frozen.thaw();
            onlyTheyReign(simulation, joined, 15_000);
            assertEquals(1, reigning(simulation).size());
            simulation.network().heal();
            simulation.membership().merge();
            simulation.settle();
        }
    }

    @Test
    @DisplayName("where a minority may go on, the death of one that was lost alone does not let the other go on")
    void oneDiesThatTheArbiterLetGoOn() {
        int wentOn = 0;
        for (long seed = 1; seed <= 3; seed++) {
            Simulation simulation = cluster(seed, SplitRule.LEASE_MAJORITY, 2);
            List<NodeId> all = ids(simulation);
            simulation.network().split(List.of(all.subList(0, 1), all.subList(1, 2)));
            simulation.membership().splitSeen();
            simulation.runFor(900);
            if (!simulation.membership().mayUseStore(all.get(0))) {
                continue;
            }
            wentOn++;
            List<NodeId> joined = join(simulation, all.get(0));
            simulation.runFor(700);
            die(simulation, all.subList(0, 1));
            onlyTheyReign(simulation, joined, 15_000);
            simulation.network().heal();
            simulation.membership().merge();
            simulation.settle();
        }
        assertTrue(wentOn > 0, "the arbiter let the first go on in no seed");
    }

    @Test
    @DisplayName("of two nodes one goes on when the other one is dead, also long after its loss")
    void oneOfTwoGoesOn() {
        for (long freeze : List.of(300L, 60_000L)) {
            Simulation simulation = cluster(1, SplitRule.KEEP_MAJORITY, 2);
            List<NodeId> all = ids(simulation);
            simulation.network().split(List.of(all.subList(0, 1), all.subList(1, 2)));
            simulation.membership().splitSeen();
            simulation.runFor(freeze);
            assertFalse(simulation.membership().mayUseStore(all.get(1)));
            die(simulation, all.subList(0, 1));
            simulation.runFor(3_000);
            assertEquals(List.of(simulation.node(all.get(1))), reigning(simulation));
            simulation.network().heal();
            simulation.settle();
        }
    }

    @Test
    @DisplayName("the last of three goes on when the others died one after the other, and none when they died at once")
    void oneAfterTheOther() {
        Simulation simulation = cluster(1, SplitRule.KEEP_MAJORITY, 3);
        List<NodeId> all = ids(simulation);
        for (NodeId next : all.subList(0, 2)) {
            die(simulation, List.of(next));
            simulation.runFor(6_000);
        }
        assertEquals(List.of(simulation.node(all.get(2))), reigning(simulation));
        Simulation atOnce = cluster(1, SplitRule.KEEP_MAJORITY, 3);
        die(atOnce, all.subList(0, 2));
        atOnce.runFor(3_000);
        assertEquals(List.of(), reigning(atOnce), "it waits until all seats have agreed");
        atOnce.runFor(9_000);
        assertEquals(List.of(atOnce.node(all.get(2))), reigning(atOnce), "the host shows that no other lives");
    }
}
