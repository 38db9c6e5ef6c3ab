package io.shardbus.cluster;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ClusterSharding;
import io.shardbus.ShardingException;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.CounterMessage.Place;
import io.shardbus.integration.CounterMessage.Where;
import io.shardbus.integration.TestCluster;
import io.shardbus.integration.Traffic;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nodes are lost in several ways; seen from a node that hosts nothing. */
@Tag("slow")
class NodeLossClusterIT {
    private static final ShardingOptions OPTIONS =
            TestCluster.options().setRebalanceIntervalMs(300).setLeaseDurationMs(4000);

    private final Processes processes = new Processes();
    private TestCluster here;

    @AfterEach
    void close() {
        try (processes) {
            if (here != null) {
                here.close();
            }
        }
    }

    private void join(int members) {
        join(members, OPTIONS);
    }

    private void join(int members, ShardingOptions options) {
        here = processes.join();
        TestCluster.Node observer = here.startNode(new ShardingOptions(options).setCoordinator(false));
        await(observer.sharding().start(Counter.definition().withRole(Processes.HOSTING)));
        here.untilMembers(members);
    }

    private TestCluster.Node observer() {
        return here.node(0);
    }

    private Traffic traffic() {
        return Traffic.start(observer(), CounterMessage.COUNTER, Traffic.hundred("e"));
    }

    /** Shards at a node; -1 while no coordinator can tell. */
    private long shardsOn(NodeId node) {
        try {
            return await(observer().sharding().typeState("counter")).shards().stream()
                    .filter(shard -> shard.home().equals(node))
                    .count();
        } catch (ShardingException e) {
            return -1;
        }
    }

    /**
     * Drains a node and waits until the coordinator knows of handoffs, which take half a second: on a busy machine the
     * answer to the order may come when they are over.
     */
    private Future<Integer> beginHandoffsFrom(NodeId drained) {
        ClusterSharding sharding = observer().sharding();
        Future<Integer> begun = sharding.drain(drained);
        until(
                "handoffs are under way",
                () -> !await(sharding.typeState("counter")).handoffs().isEmpty());
        return begun;
    }

    private static long since(long start) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    /**
     * Failures of asks to entities that may have been at these nodes, and for no other reason than their loss, are
     * expected.
     */
    private static List<String> unexpected(Traffic.Report report, Set<NodeId> lost) {
        Set<String> ids = report.stories().stream()
                .filter(story -> lost.contains(new NodeId(story.first().node())) || story.moved())
                .map(Traffic.Story::id)
                .collect(Collectors.toSet());
        return report.faults().stream()
                .filter(fault -> !(ids.contains(fault.substring(0, fault.indexOf(':')))
                        && (fault.contains(": OUTCOME_UNKNOWN ") || fault.contains(": TIMED_OUT "))))
                .toList();
    }

    @Test
    @DisplayName("HAND-02 COORD-10 FAIL-11 a node is killed in the middle of handing over; then the"
            + " coordinator's node leaves in good"
            + " order, and its process ends by itself")
    void killedWhileHandingOver() {
        Processes.Host first = processes.start(1, OPTIONS);
        first.nodes();
        Processes.Host second = processes.start(1, OPTIONS);
        Processes.Host third = processes.start(1, OPTIONS);
        second.nodes();
        third.nodes();
        join(4);
        traffic().stop();
        until("all have shards", () -> shardsOn(second.node()) > 10 && shardsOn(third.node()) > 10);
        Traffic traffic = traffic();
        Future<Integer> begun = beginHandoffsFrom(second.node());
        second.crash();
        long start = System.nanoTime();
        assertTrue(await(begun) > 10, () -> "begun: " + begun.result());
        here.untilMembers(3);
        until("its shards have other homes", () -> shardsOn(second.node()) == 0);
        until(
                "no handoff goes on",
                () -> await(observer().sharding().typeState("counter"))
                        .handoffs()
                        .isEmpty());
        traffic.untilAllAnswer();
        System.out.println("killed in the middle of handoffs: all answer after " + since(start) + " ms");
        Traffic.Report report = traffic.stop();
        System.out.println("killed in the middle of handoffs: " + report);
        assertEquals(List.of(), unexpected(report, Set.of(second.node())));

        assertEquals(first.node(), here.coordinator());
        Traffic calm = traffic();
        first.leave();
        assertEquals(0, first.exitCode(20));
        here.untilMembers(2);
        until("the third coordinates", () -> third.node().equals(here.agreedCoordinator()));
        Traffic.Report left = calm.stop();
        System.out.println("coordinator's process left in good order: " + left);
        assertEquals(List.of(), left.faults());
        assertTrue(left.silence(1) < 2000, left::toString);
        assertTrue(left.stories().stream()
                .allMatch(story -> story.last().node().equals(third.node().value())));
    }

    @Test
    @DisplayName("HAND-03 a node is frozen for so long that the others go on without it: its entities answer"
            + " elsewhere, it comes back, no"
            + " entity ran twice")
    void frozenAndExcluded() {
        ShardingOptions outlivesDetection = new ShardingOptions(OPTIONS).setLeaseDurationMs(8000);
        Processes.Host first = processes.start(1, outlivesDetection);
        first.nodes();
        Processes.Host second = processes.start(1, outlivesDetection);
        second.nodes();
        join(3, outlivesDetection);
        traffic().stop();
        until("both have shards", () -> shardsOn(second.node()) > 20);
        Traffic traffic = traffic();
        second.freeze();
        long start = System.nanoTime();
        here.untilMembers(2);
        System.out.println("frozen node out of the view after " + since(start) + " ms");
        until("its shards have other homes", () -> shardsOn(second.node()) == 0 && shardsOn(first.node()) > 50);
        traffic.untilAllAnswer();
        System.out.println("frozen node's entities answer elsewhere after " + since(start) + " ms");
        second.thaw();
        here.untilMembers(3);
        until("it takes part again", () -> shardsOn(second.node()) > 20);
        traffic.untilAllAnswer();
        Traffic.Report report = traffic.stop();
        System.out.println("frozen and excluded: " + report);
        assertEquals(List.of(), unexpected(report, Set.of(second.node())));
    }

    @Tag("long-fault")
    @Test
    @DisplayName("COORD-12 FAIL-10 the first three of six crash together: the fourth coordinates and answers;"
            + " then the other three: the"
            + " last one drops them all, and refuses to go on alone")
    void halfCrashesTogether() {
        Processes.Host three = processes.start(3, OPTIONS);
        three.nodes();
        Processes.Host more = processes.start(3, OPTIONS);
        more.nodes();
        join(7);
        assertEquals(three.nodes().get(0), here.coordinator());
        traffic().stop();
        three.crash();
        long start = System.nanoTime();
        here.untilMembers(4);
        until("one of the others coordinates", () -> more.nodes().contains(coordinator()));
        System.out.println("three of seven crashed: next coordinator after " + since(start) + " ms");
        for (int i = 0; i < 20; i++) {
            Place place = await(observer().counter("fresh" + i).ask(new Where(), Duration.ofSeconds(60)));
            assertTrue(more.nodes().contains(new NodeId(place.node())));
        }
        traffic().stop();

        more.crash();
        long again = System.nanoTime();
        here.untilMembers(1);
        assertTrue(since(again) < 30_000);
        until(
                "it knows that it is not the majority",
                () -> !observer().sharding().clusterState().available());
        ShardingException refused = assertThrows(
                ShardingException.class, () -> await(observer().counter("e1").ask(new Where(), Duration.ofSeconds(1))));
        assertTrue(
                Set.of(FailureCode.TIMED_OUT, FailureCode.NOT_IN_MAJORITY, FailureCode.OUTCOME_UNKNOWN)
                        .contains(refused.code()),
                refused::toString);
        assertFalse(observer().sharding().isReady());
    }

    private NodeId coordinator() {
        return Objects.requireNonNullElse(here.agreedCoordinator(), new NodeId("unknown"));
    }
}
