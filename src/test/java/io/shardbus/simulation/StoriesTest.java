package io.shardbus.simulation;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.coordinator.Coordinator;
import io.shardbus.core.coordinator.CoordinatorEvent;
import io.shardbus.simulation.Letter.Work;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/**
 * Six stories of the protocol: what the nodes say and do, in the words of the messages. Each text is compared as a
 * whole.
 */
class StoriesTest {
    private static final long LONGEST_WAIT = 20_000;
    private static final long AFTERMATH = 300;
    private static final long LONGEST_CUT = 8_000;
    private static final int ENTITIES = 3;

    private static Simulation cluster(int nodes) {
        SimulationOptions options = SimulationOptions.calm(1);
        options.nodes = nodes;
        options.shards = ENTITIES;
        options.entities = ENTITIES;
        options.lanes = 1;
        options.rebalanceInterval = 0;
        return new Simulation(options);
    }

    private static void until(Simulation simulation, BooleanSupplier holds) {
        for (long waited = 0; !holds.getAsBoolean(); waited++) {
            assertTrue(waited < LONGEST_WAIT, "it does not happen");
            simulation.runFor(1);
        }
    }

    private static SimNode coordinatorOf(Simulation simulation) {
        return Objects.requireNonNull(simulation.coordinatorNode());
    }

    private static SimNode otherThan(Simulation simulation, SimNode node) {
        return simulation.alive().stream()
                .filter(other -> other != node)
                .findFirst()
                .orElseThrow();
    }

    private static boolean isOpen(Simulation simulation) {
        SimNode node = simulation.coordinatorNode();
        Coordinator coordinator = node == null ? null : node.control.coordinator();
        return coordinator != null && coordinator.isOpen();
    }

    /** Asks each of the three entities through one node, until all have answered. */
    private static void askAll(Simulation simulation, SimNode through) {
        boolean[] ended = new boolean[ENTITIES];
        for (int i = 0; i < ENTITIES; i++) {
            int entity = i;
            through.send("e" + entity, Work.NONE, answered -> ended[entity] = true);
        }
        until(simulation, () -> ended[0] && ended[1] && ended[2]);
    }

    /** Untold: the cluster starts, and its three shards get homes. */
    private static Transcript inService(Simulation simulation) {
        Transcript transcript = new Transcript(simulation);
        transcript.tell(false);
        until(simulation, () -> isOpen(simulation));
        askAll(simulation, coordinatorOf(simulation));
        simulation.runFor(AFTERMATH);
        transcript.tell(true);
        return transcript;
    }

    private static void drain(Simulation simulation, SimNode node) {
        SimNode coordinator = coordinatorOf(simulation);
        coordinator.onControl(
                0, () -> coordinator.control.step(Simulation.TYPE, new CoordinatorEvent.DrainRequested(node.id)));
    }

    @Test
    void firstStart() throws IOException {
        Simulation simulation = cluster(2);
        Transcript transcript = new Transcript(simulation).chapter("two nodes start and found the cluster");
        until(simulation, () -> simulation.coordinatorNode() != null);
        transcript.chapter("no shard gets a home before leases of an earlier cluster must have run out");
        until(simulation, () -> isOpen(simulation));
        transcript.chapter("the node that does not coordinate asks three entities");
        askAll(simulation, otherThan(simulation, coordinatorOf(simulation)));
        simulation.runFor(AFTERMATH);
        transcript.equalsFile("first-start.txt");
    }

    @Test
    void handoff() throws IOException {
        Simulation simulation = cluster(2);
        Transcript transcript = inService(simulation);
        SimNode node = otherThan(simulation, coordinatorOf(simulation));
        transcript.chapter("an operator drains " + node);
        drain(simulation, node);
        Coordinator coordinator = coordinatorOf(simulation).control.coordinator();
        until(simulation, () -> !coordinator.snapshot().inHandoff().isEmpty());
        simulation.runFor(2);
        transcript.chapter("the other node asks three entities meanwhile");
        askAll(simulation, coordinatorOf(simulation));
        simulation.runFor(AFTERMATH);
        transcript.equalsFile("handoff.txt");
    }

    @Test
    void lostRegion() throws IOException {
        Simulation simulation = cluster(3);
        Transcript transcript = inService(simulation);
        SimNode coordinator = coordinatorOf(simulation);
        SimNode lost = otherThan(simulation, coordinator);
        transcript.chapter(lost + " crashes; the coordinator asks three entities");
        simulation.faults().crash(lost);
        simulation.runFor(2);
        askAll(simulation, coordinator);
        transcript.chapter("the same asks again: the lost shard has a home when the lost lease must have run out");
        askAll(simulation, coordinator);
        simulation.runFor(AFTERMATH);
        transcript.equalsFile("lost-region.txt");
    }

    @Test
    void lostCoordinator() throws IOException {
        Simulation simulation = cluster(3);
        Transcript transcript = inService(simulation);
        SimNode lost = coordinatorOf(simulation);
        SimNode other = otherThan(simulation, lost);
        transcript.chapter(lost + " crashes, which coordinates; " + other + " asks three entities");
        simulation.faults().crash(lost);
        simulation.runFor(2);
        askAll(simulation, other);
        until(simulation, () -> isOpen(simulation));
        simulation.runFor(AFTERMATH);
        transcript.equalsFile("lost-coordinator.txt");
    }

    @Test
    void split() throws IOException {
        Simulation simulation = cluster(3);
        Transcript transcript = inService(simulation);
        SimNode alone = coordinatorOf(simulation);
        var others = simulation.alive().stream()
                .filter(node -> node != alone)
                .map(node -> node.id)
                .toList();
        transcript.chapter(alone + ", which coordinates, is cut off from the two others");
        simulation.faults().split(List.of(List.of(alone.id), others), LONGEST_CUT);
        until(simulation, () -> simulation.coordinatorNode() != alone && isOpen(simulation));
        until(simulation, () -> !simulation.network().isSplit());
        transcript.chapter("the cut has healed");
        until(simulation, () -> simulation.membership().isWhole());
        askAll(simulation, alone);
        simulation.runFor(AFTERMATH);
        transcript.equalsFile("split.txt");
    }

    @Test
    void rollingRestart() throws IOException {
        Simulation simulation = cluster(2);
        Transcript transcript = inService(simulation);
        for (SimNode old : List.copyOf(simulation.alive())) {
            transcript.chapter("another node starts, then " + old + " leaves in good order");
            simulation.addNode();
            simulation.runFor(AFTERMATH);
            old.leave();
            until(simulation, old::isGone);
            simulation.runFor(AFTERMATH);
        }
        transcript.chapter("no entity has lost an ask");
        askAll(simulation, simulation.alive().get(0));
        transcript.equalsFile("rolling-restart.txt");
    }
}
