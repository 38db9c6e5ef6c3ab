package io.shardbus.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.shardbus.core.coordinator.Coordinator;
import io.shardbus.simulation.SimulationOptions.Witnesses;
import org.junit.jupiter.api.Test;

/** What a proof of death saves, and what it must never be mistaken for. */
class WitnessTest {
    /** Longer than detection and all messages, shorter than any lease that was granted before. */
    private static final long SOON = 1_400;

    private static Simulation running(int nodes) {
        SimulationOptions options = SimulationOptions.calm(1);
        options.witness = Witnesses.TRUTHFUL;
        options.nodes = nodes;
        return new Simulation(options).runFor(3_000).withLoad().runFor(1_000);
    }

    private static SimNode coordinatorOf(Simulation simulation) {
        SimNode node = simulation.coordinatorNode();
        assertNotNull(node);
        return node;
    }

    private static SimNode otherThan(Simulation simulation, SimNode node) {
        return simulation.staying().stream()
                .filter(other -> other != node)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theShardsOfADeadNodeAreAtHomeElsewhereLongBeforeItsLeaseEnds() {
        Simulation simulation = running(4);
        SimNode coordinator = coordinatorOf(simulation);
        simulation.faults().crash(otherThan(simulation, coordinator));
        simulation.runFor(SOON);
        Coordinator reigning = coordinator.control.coordinator();
        assertEquals(3, reigning.inspect(coordinator.clock()).regions().size());
        assertEquals(12, reigning.inspect(coordinator.clock()).rows().size());
        simulation.settle();
    }

    @Test
    void theSuccessorOfADeadCoordinatorOpensOnceAllWhoMayHoldLeasesHaveRegistered() {
        Simulation simulation = running(4);
        SimNode first = coordinatorOf(simulation);
        simulation.faults().crash(first);
        simulation.runFor(SOON);
        SimNode second = coordinatorOf(simulation);
        assertNotEquals(first, second);
        assertTrue(second.control.coordinator().isOpen());
        simulation.settle();
    }

    @Test
    void theSuccessorWaitsForAFrozenNodeThatMayHoldALease() {
        Simulation simulation = running(5);
        SimNode first = coordinatorOf(simulation);
        simulation.faults().freeze(otherThan(simulation, first), 1_900);
        simulation.runFor(700);
        first.crash();
        simulation.runFor(300);
        simulation.membership().suspect(first.id);
        simulation.runFor(700);
        SimNode second = coordinatorOf(simulation);
        assertNotEquals(first, second);
        assertFalse(second.control.coordinator().isOpen());
        simulation.settle();
    }

    @Test
    void aWitnessThatTakesAVanishedNodeForDeadIsCaught() {
        for (long seed = 1; seed <= 40; seed++) {
            SimulationOptions options = SimulationOptions.partitions(seed);
            options.witness = Witnesses.RASH;
            try {
                new Simulation(options).run();
            } catch (Violation caught) {
                return;
            }
        }
        fail("a rash witness was not caught in 40 seeds");
    }
}
