package io.shardbus.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.control.OrderCommand;
import io.shardbus.core.coordinator.Coordinator;
import io.shardbus.core.coordinator.CoordinatorEvent;
import io.shardbus.core.coordinator.CoordinatorView;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.region.RegionStatus;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.simulation.Letter.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One story each, told to the simulated cluster. */
class ScenarioTest {
    private static Simulation calm() {
        return new Simulation(SimulationOptions.calm(1)).runFor(3_000);
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
    void handsOffUnderLoadWithoutLosingAMessage() {
        SimulationOptions options = SimulationOptions.plannedMoves(2);
        options.faults.clear();
        Simulation simulation = new Simulation(options).runFor(3_000).withLoad().runFor(1_000);
        simulation.addNode();
        simulation.runFor(3_000).settle();
    }

    @Test
    void takesUpAHandoffWhoseCoordinatorCrashed() {
        Simulation simulation = calm().withLoad().runFor(1_000);
        simulation.addNode();
        while (simulation
                .coordinatorNode()
                .control
                .coordinator()
                .snapshot()
                .inHandoff()
                .isEmpty()) {
            simulation.runFor(1);
        }
        simulation.faults().inflict(Fault.COORDINATOR_CRASH);
        simulation.runFor(6_000).settle();
    }

    @Test
    @DisplayName("a node that does not drain holds a shard up for a moment, and the shard stays")
    void aStuckParticipantSilencesAShardForAMomentOnly() {
        Simulation simulation = calm().withLoad().runFor(1_000);
        SimNode coordinator = coordinatorOf(simulation);
        simulation.addNode();
        CoordinatorView.Row moving = firstMove(simulation, coordinator);
        SimNode stuck = simulation.staying().stream()
                .filter(node -> node != coordinator && !node.id.equals(moving.home()))
                .findFirst()
                .orElseThrow();
        simulation.network().stall(coordinator.id, stuck.id, 1_400);
        simulation.network().stall(stuck.id, moving.home(), 2_500);
        simulation.runFor(1_300);
        Optional<CoordinatorView.Row> after =
                coordinator.control.coordinator().inspect(coordinator.clock()).row(moving.shard());
        assertEquals(Optional.of(moving.home()), after.map(CoordinatorView.Row::home));
        assertNotEquals(Optional.of(moving.handoff()), after.map(CoordinatorView.Row::handoff), "it was given up");
        simulation.runFor(4_000).settle();
    }

    /** A shard that begins to leave a node that does not coordinate. */
    private static CoordinatorView.Row firstMove(Simulation simulation, SimNode coordinator) {
        while (true) {
            simulation.runFor(1);
            for (CoordinatorView.Row row : coordinator
                    .control
                    .coordinator()
                    .inspect(coordinator.clock())
                    .rows()) {
                if (row.handoff() != null && !row.home().equals(coordinator.id)) {
                    return row;
                }
            }
        }
    }

    @Test
    void noNodeIsCutOffAtRest() {
        int deposed = 0;
        for (int seed = 1; seed <= 10; seed++) {
            Simulation simulation = new Simulation(SimulationOptions.calm(seed)).runFor(3_000);
            simulation.faults().inflict(Fault.DEPOSE);
            deposed += simulation.faults().isTroubled() ? 1 : 0;
            simulation.faults().stop();
            for (int i = 0; i < 200; i++) {
                simulation.runFor(10);
                assertTrue(simulation.membership().isWhole());
            }
        }
        assertTrue(deposed > 0, "no coordinator was about to be cut off when the faults stopped");
    }

    private static long unconfirmed(SimNode coordinator, SimNode home) {
        return coordinator.control.coordinator().inspect(coordinator.clock()).rows().stream()
                .filter(row -> home.id.equals(row.home()) && !row.confirmed())
                .count();
    }

    @Test
    void allocatesElsewhereWhenARegionCrashesBeforeItConfirms() {
        Simulation simulation = calm();
        SimNode coordinator = coordinatorOf(simulation);
        SimNode victim = otherThan(simulation, coordinator);
        simulation.withLoad();
        int waited = 0;
        while (unconfirmed(coordinator, victim) == 0) {
            assertTrue(++waited < 1_000, "no shard is assigned to " + victim.id);
            simulation.runFor(1);
        }
        simulation.faults().crash(victim);
        simulation.runFor(5_000).settle();
    }

    @Test
    @DisplayName("COORD-10, COORD-14: the coordinator's node leaves in good order and the successor opens at once")
    void opensAtOnceAfterAnAbdication() {
        Simulation simulation = calm().withLoad().runFor(1_000);
        SimNode first = coordinatorOf(simulation);
        first.leave();
        while (!first.isGone()) {
            simulation.runFor(10);
        }
        simulation.runFor(500);
        SimNode second = coordinatorOf(simulation);
        assertNotEquals(first, second);
        assertTrue(second.control.coordinator().isOpen(), "no wait for leases that all reported");
        simulation.settle();
    }

    @Test
    @DisplayName("COORD-10: the successor opens at once though a region's goodbye met no coordinator")
    void opensAtOnceWhenANodeHasLeftUnheardByThePredecessor() {
        Simulation simulation = calm().withLoad().runFor(1_000);
        SimNode first = coordinatorOf(simulation);
        SimNode other = otherThan(simulation, first);
        other.leave();
        while (other.hosting().region().status() != RegionStatus.LEFT) {
            simulation.runFor(1);
        }
        simulation.network().cut(other.id, first.id);
        simulation.network().stall(other.id, first.id, 4_000);
        first.leave();
        while (!first.isGone()) {
            simulation.runFor(10);
        }
        simulation.runFor(500);
        assertTrue(coordinatorOf(simulation).control.coordinator().isOpen(), "no wait for who has left");
        simulation.settle();
    }

    @Test
    @DisplayName("COORD-11: the coordinator's node crashes and the next one takes over after the leases")
    void waitsForLeasesAfterACrash() {
        Simulation simulation = calm();
        SimNode first = coordinatorOf(simulation);
        simulation.faults().crash(first);
        simulation.runFor(1_500);
        SimNode second = coordinatorOf(simulation);
        assertNotEquals(first, second);
        Coordinator successor = second.control.coordinator();
        assertEquals(false, successor.isOpen());
        simulation.runFor(2_500);
        assertTrue(successor.isOpen());
        simulation.withLoad().runFor(1_000).settle();
    }

    @Test
    void placesNothingBeforeTheMinimumOfMembersIsThere() {
        SimulationOptions options = SimulationOptions.calm(3);
        options.nodes = 2;
        options.minimumMembers = 3;
        Simulation simulation = new Simulation(options).withLoad().runFor(5_000);
        assertEquals(
                0,
                simulation.alive().stream().mapToInt(simulation.ledger()::live).sum());
        simulation.addNode();
        simulation.runFor(4_000).settle();
    }

    @Test
    @DisplayName("BUF-01, BUF-02: full buffers refuse with a typed failure and are empty once the coordinator is back")
    void refusesWhatTheBuffersCannotHold() {
        SimulationOptions options = SimulationOptions.calm(4);
        options.bufferSize = 10;
        options.mailboxSize = 2;
        Simulation simulation = new Simulation(options).withLoad().runFor(3_000);
        assertTrue(simulation.ledger().count(FailureCode.REGION_BUFFER_FULL) > 0);
        simulation.settle();
    }

    @Test
    @DisplayName("HAND-01: entities that ignore their stop do not keep their shard")
    void stopsByForceWhatDoesNotStop() {
        SimulationOptions options = SimulationOptions.calm(5);
        options.stubbornPercent = 100;
        Simulation simulation = new Simulation(options).runFor(3_000).withLoad().runFor(2_000);
        int before = simulation.ledger().forcedStops();
        simulation.addNode();
        simulation.runFor(3_000).settle();
        assertTrue(simulation.ledger().forcedStops() > before, "no entity was stopped by force in the handoffs");
    }

    @Test
    @DisplayName("HAND-05: a region without shards leaves in less than 5 s")
    void leavesWithoutShards() {
        Simulation simulation = calm();
        SimNode node = otherThan(simulation, coordinatorOf(simulation));
        node.leave();
        simulation.runFor(1_000);
        assertTrue(node.isGone());
    }

    @Test
    @DisplayName("COORD-05: a message to a shard whose home is known is answered while there is no coordinator")
    void knownShardsWorkWithoutACoordinator() {
        Simulation simulation = calm().withLoad().runFor(3_000);
        SimNode first = coordinatorOf(simulation);
        simulation.faults().crash(first);
        simulation.runFor(20);
        SimNode sender = simulation.staying().get(0);
        int[] answers = new int[1];
        for (int shard = 0; shard < simulation.options().shards; shard++) {
            sender.send("e" + shard, Work.NONE, answered -> answers[0] += answered ? 1 : 0);
        }
        simulation.runFor(300);
        assertTrue(answers[0] >= simulation.options().shards / 2, answers[0] + " answers");
        simulation.runFor(4_000).settle();
    }

    @Test
    void aDrainThatANewReignHearsBeforeTheRegionIsCarriedOut() {
        Simulation simulation = calm().withLoad().runFor(2_000);
        SimNode first = coordinatorOf(simulation);
        simulation.faults().crash(first);
        while (simulation.coordinatorNode() == null) {
            simulation.runFor(1);
        }
        SimNode second = coordinatorOf(simulation);
        SimNode drained = otherThan(simulation, second);
        assertTrue(drained.hosting().region().hosted().size() > 0);
        assertTrue(second.control.coordinator().inspect(second.clock()).regions().stream()
                .noneMatch(region -> region.node().equals(drained.id)));
        second.onControl(
                0, () -> second.control.step(Simulation.TYPE, new CoordinatorEvent.DrainRequested(drained.id)));
        drained.drained = true;
        simulation.runFor(9_000);
        assertEquals(Set.of(), drained.hosting().region().hosted().keySet());
        simulation.settle();
    }

    @Test
    void aDrainGoesOnUnderTheNextCoordinator() {
        Simulation simulation = calm().withLoad().runFor(3_000);
        SimNode first = coordinatorOf(simulation);
        SimNode drained = otherThan(simulation, first);
        drained.drained = true;
        OperatorOrder drain = new OperatorOrder(OperatorOrder.Kind.DRAIN, "", drained.id, -1);
        List<OrderCommand.Answer> answers = new ArrayList<>();
        first.onControl(0, () -> first.control.orders().give(drain, answers::add));
        simulation.runFor(25);
        assertEquals(
                List.of(true), answers.stream().map(OrderCommand.Answer::done).toList());
        assertTrue(drained.hosting().region().hosted().size() > 0, "it has only begun");
        simulation.faults().crash(first);
        while (simulation.coordinatorNode() == null) {
            simulation.runFor(1);
        }
        SimNode second = coordinatorOf(simulation);
        simulation.runFor(9_000);
        assertEquals(Set.of(), drained.hosting().region().hosted().keySet());
        assertTrue(second.control.coordinator().isDrained(drained.id));
        drained.drained = false;
        OperatorOrder back = new OperatorOrder(OperatorOrder.Kind.UNDRAIN, "", drained.id, -1);
        second.onControl(0, () -> second.control.orders().give(back, answers::add));
        simulation.runFor(3_000);
        assertEquals(
                List.of(true, true),
                answers.stream().map(OrderCommand.Answer::done).toList());
        assertTrue(drained.hosting().region().hosted().size() > 0);
        simulation.settle();
    }

    @Test
    void drainsANodeAndKeepsItEmpty() {
        Simulation simulation = calm().withLoad().runFor(3_000);
        SimNode coordinator = coordinatorOf(simulation);
        SimNode drained = otherThan(simulation, coordinator);
        coordinator.onControl(
                0, () -> coordinator.control.step(Simulation.TYPE, new CoordinatorEvent.DrainRequested(drained.id)));
        drained.drained = true;
        simulation.runFor(3_000);
        assertEquals(Set.of(), drained.hosting().region().hosted().keySet());
        simulation.runFor(3_000);
        assertEquals(Set.of(), drained.hosting().region().hosted().keySet());
        simulation.settle();
    }

    @Test
    void aDrainThatIsTakenBackHalfwayLeavesTheNodeAHome() {
        Simulation simulation = calm().withLoad().runFor(3_000);
        SimNode coordinator = coordinatorOf(simulation);
        SimNode drained = otherThan(simulation, coordinator);
        coordinator.onControl(
                0, () -> coordinator.control.step(Simulation.TYPE, new CoordinatorEvent.DrainRequested(drained.id)));
        simulation.runFor(5);
        coordinator.onControl(
                0, () -> coordinator.control.step(Simulation.TYPE, new CoordinatorEvent.UndrainRequested(drained.id)));
        simulation.runFor(3_000);
        assertTrue(drained.hosting().region().hosted().size() > 0);
        simulation.settle();
    }

    @Test
    void aNodeWhoseDrainIsTakenBackHasShardsAgain() {
        Simulation simulation = calm().withLoad().runFor(3_000);
        SimNode coordinator = coordinatorOf(simulation);
        SimNode drained = otherThan(simulation, coordinator);
        coordinator.onControl(
                0, () -> coordinator.control.step(Simulation.TYPE, new CoordinatorEvent.DrainRequested(drained.id)));
        simulation.runFor(3_000);
        assertEquals(Set.of(), drained.hosting().region().hosted().keySet());
        coordinator.onControl(
                0, () -> coordinator.control.step(Simulation.TYPE, new CoordinatorEvent.UndrainRequested(drained.id)));
        simulation.runFor(3_000);
        assertTrue(drained.hosting().region().hosted().size() > 0);
        simulation.settle();
    }

    @Test
    @DisplayName("HAND-07, HAND-08: an announced full shutdown moves nothing, new shards still get a home")
    void anAnnouncedShutdownMovesNothing() {
        Simulation simulation = calm();
        SimNode coordinator = coordinatorOf(simulation);
        coordinator.onControl(
                0, () -> coordinator.control.step(Simulation.TYPE, new CoordinatorEvent.ShutdownPrepared(true)));
        int[] answers = new int[1];
        otherThan(simulation, coordinator).send("e1", Work.NONE, answered -> answers[0] += answered ? 1 : 0);
        simulation.runFor(500);
        assertEquals(1, answers[0]);
        for (SimNode node : simulation.staying()) {
            if (node != coordinator) {
                node.leave();
            }
        }
        simulation.runFor(3_000);
        assertEquals(1, simulation.alive().size());
    }

    @Test
    @DisplayName("COORD-16: nodes that stay keep their leases when two coordinators leave within a lease of a stop")
    void aReignOfAMomentCostsNoLeaseWhileAllStops() {
        SimulationOptions options = SimulationOptions.calm(7);
        options.nodes = 4;
        options.keepsLeases = true;
        Simulation simulation = new Simulation(options).runFor(3_000);
        simulation.alive().forEach(node -> node.onControl(0, () -> node.control.clusterStops(true)));
        simulation.runFor(10);
        for (int i = 0; i < 2; i++) {
            SimNode first = coordinatorOf(simulation);
            first.leave();
            while (simulation.coordinatorNode() == first || simulation.coordinatorNode() == null) {
                simulation.runFor(1);
            }
        }
        // keepsLeases: a region that loses its lease breaks the run
        simulation.runFor(3_000);
        assertEquals(2, simulation.alive().size());
    }

    @Test
    void theSmallerSideStopsAndComesBack() {
        SimulationOptions options = SimulationOptions.calm(6);
        options.nodes = 5;
        Simulation simulation = new Simulation(options).runFor(3_000).withLoad().runFor(1_000);
        SimNode lonely = simulation.staying().get(0);
        List<NodeId> others =
                simulation.staying().stream().skip(1).map(node -> node.id).toList();
        simulation.faults().split(List.of(List.of(lonely.id), others), 5_000);
        simulation.runFor(4_500);
        assertEquals(RegionStatus.REGISTERING, lonely.hosting().region().status());
        assertEquals(Set.of(), lonely.hosting().region().hosted().keySet());
        simulation.settle();
    }

    @Test
    @DisplayName(
            "a side that stopped founds the cluster anew when it is seen that all other processes of the host are gone")
    void aMinorityGoesOnWhenAllSeatsAgree() {
        SimulationOptions options = SimulationOptions.calm(6);
        options.nodes = 5;
        Simulation simulation = new Simulation(options).runFor(3_000).withLoad().runFor(1_000);
        List<SimNode> others = List.copyOf(simulation.staying().subList(2, 5));
        List<NodeId> smaller =
                simulation.staying().stream().limit(2).map(node -> node.id).toList();
        List<NodeId> larger = others.stream().map(node -> node.id).toList();
        simulation.faults().split(List.of(smaller, larger), 30_000);
        simulation.runFor(12_000);
        assertTrue(larger.contains(coordinatorOf(simulation).id), "others may go on");
        others.forEach(SimNode::crash);
        simulation.runFor(9_000);
        assertTrue(smaller.contains(coordinatorOf(simulation).id));
        simulation.settle();
    }

    @Test
    void aFrozenNodeRunsNothingWhenItWakesUp() {
        Simulation simulation = calm().withLoad().runFor(1_000);
        SimNode node = otherThan(simulation, coordinatorOf(simulation));
        simulation.faults().freeze(node, 6_000);
        simulation.runFor(6_050);
        assertEquals(Set.of(), node.hosting().region().hosted().keySet());
        simulation.settle();
    }

    /** When the first condition holds after a freeze of the coordinator for so long. */
    private static long afterFreeze(long freeze, BiPredicate<Simulation, SimNode> condition) {
        Simulation simulation = calm().withLoad().runFor(1_000);
        SimNode first = coordinatorOf(simulation);
        simulation.faults().freeze(first, freeze);
        long begin = simulation.scheduler().now();
        while (!condition.test(simulation, first)) {
            simulation.runFor(10);
            assertTrue(simulation.scheduler().now() - begin < 60_000, "never");
        }
        return simulation.scheduler().now() - begin;
    }

    private static boolean anotherReigns(Simulation simulation, SimNode first) {
        return simulation.staying().stream().anyMatch(node -> node != first && node.control.coordinator() != null);
    }

    private static boolean anotherIsOpen(Simulation simulation, SimNode first) {
        return simulation.staying().stream()
                .map(node -> node == first ? null : node.control.coordinator())
                .anyMatch(coordinator -> coordinator != null && coordinator.isOpen());
    }

    @Test
    @DisplayName("a frozen coordinator wakes while its successor still waits for its leases: the merge"
            + " does not begin the wait anew")
    void aThawDoesNotBeginTheWaitAnew() {
        long begins = afterFreeze(30_000, ScenarioTest::anotherReigns);
        long opens = afterFreeze(30_000, ScenarioTest::anotherIsOpen);
        long opensInSpiteOfTheThaw = afterFreeze(begins + 200, ScenarioTest::anotherIsOpen);
        assertTrue(opens - begins > 1_000, "it waits for " + (opens - begins) + " ms");
        assertTrue(
                opensInSpiteOfTheThaw < opens + 500,
                "opens after " + opens + " ms, with a thaw at " + (begins + 200) + " after " + opensInSpiteOfTheThaw);
    }

    private static Simulation remembering(int percentOfThrows) {
        SimulationOptions options = SimulationOptions.calm(7);
        options.remembering = true;
        options.throwPercent = percentOfThrows;
        return new Simulation(options).runFor(3_000).withLoad().runFor(2_000);
    }

    @Test
    @DisplayName("REM-23: a region crashes, and its remembered entities live elsewhere without a message")
    void rememberedEntitiesLiveAgainAfterACrash() {
        Simulation simulation = remembering(0);
        simulation.settle();
        List<String> remembered = simulation.idStore().ids();
        assertTrue(remembered.size() > 15, "most entities had a message: " + remembered);
        simulation.faults().crash(otherThan(simulation, coordinatorOf(simulation)));
        simulation.runFor(20);
        assertTrue(remembered.stream().anyMatch(id -> !simulation.ledger().isLive(id)));
        simulation.runFor(6_000);
        remembered.forEach(id -> assertTrue(simulation.ledger().isLive(id), id));
    }

    @Test
    @DisplayName("REM-09, REM-10, REM-11: while the store fails new entities wait, afterwards all is well")
    void aStoreThatFailsIsWaitedFor() {
        Simulation simulation = remembering(5);
        simulation.idStore().trouble(simulation.scheduler().now() + 3_000);
        simulation.runFor(3_500);
        assertTrue(simulation.idStore().failedStarts() > 0, "no new entity met a store that failed");
        simulation.settle();
    }

    @Test
    @DisplayName("REM-12: the coordinator cannot read the store: shards with remembered entities come back when it can")
    void theSuccessorReadsTheStoreAgain() {
        Simulation simulation = remembering(0);
        simulation.settle();
        List<String> remembered = simulation.idStore().ids();
        assertTrue(remembered.size() > 15, "most entities had a message: " + remembered);
        simulation.faults().crash(coordinatorOf(simulation));
        simulation.idStore().trouble(simulation.scheduler().now() + 7_000);
        simulation.idStore().refuseReads(simulation.scheduler().now() + 7_000);
        simulation.runFor(15_000);
        assertTrue(simulation.idStore().failedReads() > 0, "the successor read at once");
        remembered.forEach(id -> assertTrue(simulation.ledger().isLive(id), id));
    }

    @Test
    void putsEntitiesAwayWithoutLosingAMessage() {
        SimulationOptions options = SimulationOptions.passivating(3);
        options.faults.clear();
        Simulation simulation = new Simulation(options).runFor(3_000).withLoad().runFor(2_000);
        simulation.addNode();
        simulation.runFor(3_000).settle();
        int putAway = simulation.staying().stream()
                .mapToInt(node -> node.hosting().passivation.putAwayByPolicy())
                .sum();
        assertTrue(putAway > 100, putAway + " were passivated");
    }

    @Test
    void restWaitsForTheWorkOfATellThatTakesLongerThanAFreshAskMay() {
        Simulation simulation = calm();
        coordinatorOf(simulation).send("e1", new Work(8_000, false, Letter.Ending.GOOD, null), null);
        simulation.settle();
    }
}
