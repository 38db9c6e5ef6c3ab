package io.shardbus.integration.membership;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ShardingException;
import io.shardbus.integration.Census;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.CounterMessage.AddAndGet;
import io.shardbus.integration.CounterMessage.Get;
import io.shardbus.integration.CounterMessage.Place;
import io.shardbus.integration.CounterMessage.Where;
import io.shardbus.integration.ReignLog;
import io.shardbus.integration.TestCluster;
import io.shardbus.integration.Traffic;
import io.shardbus.model.FailureCode;
import io.shardbus.model.MovePlan;
import io.shardbus.model.NodeId;
import io.shardbus.model.StopReason;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Several nodes leave at once, and the whole cluster stops. */
@Tag("slow")
class GracefulShutdownIT {
    private final TestCluster cluster = new TestCluster();
    private final ReignLog reigns = new ReignLog();
    /** The last work of the entities of a node, while it goes on. */
    private final Map<String, Promise<Void>> lastWork = new ConcurrentHashMap<>();

    private final Census census = new Census();

    @AfterEach
    void close() {
        lastWork.values().forEach(Promise::tryComplete);
        cluster.close();
        reigns.close();
    }

    /** The options of every node. */
    ShardingOptions options() {
        return TestCluster.options();
    }

    private TestCluster.Node join() {
        return join(options().setLeaseDurationMs(4000).setRebalanceIntervalMs(300));
    }

    private TestCluster.Node join(ShardingOptions options) {
        TestCluster.Node node = cluster.startNode(options);
        await(node.sharding().start(census.definition(CounterMessage.COUNTER, context -> {
            Promise<Void> work = lastWork.get(context.node().value());
            return work == null ? Future.succeededFuture() : work.future();
        })));
        return node;
    }

    private void join(int count) {
        for (int i = 0; i < count; i++) {
            join();
        }
    }

    /** Entities on each node. */
    private void spread() {
        for (int i = 0; i < 60; i++) {
            await(cluster.node(i % cluster.nodes().size()).counter("e" + i).ask(new Where()));
        }
        until("every node has entities", () -> {
            for (int i = 0; i < 60; i++) {
                await(cluster.node(0).counter("e" + i).ask(new Where()));
            }
            return cluster.nodes().stream()
                    .allMatch(node -> census.liveOn(node.id().value()) > 0);
        });
    }

    private void joinWithUsualLeases() {
        for (int i = 0; i < 3; i++) {
            join(options().setRebalanceIntervalMs(300));
        }
    }

    private List<String> stops(StopReason reason) {
        return census.stops().stream()
                .filter(stop -> stop.endsWith(" " + reason))
                .toList();
    }

    private static long since(long start) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    @Test
    @DisplayName("COORD-15 the coordinator's node, slow to stop, and two more leave together: no node takes"
            + " over before it has stopped,"
            + " and none of the leaving ever")
    void threeOfFiveLeave() {
        join(5);
        spread();
        List<TestCluster.Node> nodes = List.copyOf(cluster.nodes());
        NodeId first = cluster.coordinator();
        assertEquals(nodes.get(0).id(), first);
        Promise<Void> slow = Promise.promise();
        lastWork.put(first.value(), slow);
        Future<Void> firstGone = cluster.leaving(nodes.get(0));
        await(Future.all(cluster.leaving(nodes.get(1)), cluster.leaving(nodes.get(3))));
        cluster.untilMembers(3);
        long quiet = System.nanoTime();
        until("three seconds have passed", () -> {
            assertEquals(1, reigns.begins(), "a second coordinator while the first one stops");
            return since(quiet) > 3000;
        });
        assertFalse(firstGone.isComplete());
        slow.complete();
        await(firstGone);
        cluster.untilMembers(2);
        until("the third coordinates", () -> nodes.get(2).id().equals(cluster.agreedCoordinator()));
        for (int i = 0; i < 60; i++) {
            await(cluster.node(i % 2).counter("e" + i).ask(new Where()));
        }
        assertEquals(2, reigns.begins(), () -> reigns.events().toString());
        assertEquals(List.of(), reigns.overlaps());
        assertEquals(List.of(), census.faults());
    }

    @Test
    @DisplayName("HAND-06 the coordinator's node and another shut down at the same moment: the other's last task is"
            + " answered through its"
            + " region, the last node hosts everything")
    void coordinatorAndAnotherLeaveTogether() {
        join(3);
        spread();
        TestCluster.Node first = cluster.node(0);
        TestCluster.Node other = cluster.node(1);
        TestCluster.Node last = cluster.node(2);
        assertEquals(first.id(), cluster.coordinator());
        Traffic traffic = Traffic.start(last, CounterMessage.COUNTER, Traffic.hundred("e"));
        Promise<Void> lastTask = Promise.promise();
        lastWork.put(other.id().value(), lastTask);
        Future<Void> firstGone = cluster.leaving(first);
        Future<Void> otherGone = cluster.leaving(other);
        await(firstGone);
        assertFalse(otherGone.isComplete());
        Place answered = await(other.counter("of the last task").ask(new Where(), Duration.ofSeconds(20)));
        assertNotNull(answered);
        lastTask.complete();
        await(otherGone);
        Place later = await(last.counter("of the last task").ask(new Where()));
        assertEquals(last.id().value(), later.node());
        Traffic.Report report = traffic.stop();
        System.out.println("two left at the same moment: " + report);
        assertEquals(List.of(), report.faults());
        assertTrue(report.stories().stream()
                .allMatch(story -> story.last().node().equals(last.id().value())));
        assertEquals(List.of(), reigns.overlaps());
        assertEquals(List.of(), census.faults());
    }

    @Test
    @DisplayName("COORD-16 HAND-07 HAND-08 a shutdown of the whole cluster is announced: entities old and new still"
            + " answer, no node takes"
            + " over from the coordinator, all leave quickly")
    void wholeClusterStops() {
        joinWithUsualLeases();
        spread();
        TestCluster.Node first = cluster.node(0);
        assertEquals(first.id(), cluster.coordinator());
        Place before = await(cluster.node(1).counter("e1").ask(new Where()));
        long start = System.nanoTime();
        await(cluster.node(1).sharding().prepareForShutdown());
        assertTrue(since(start) < 10_000, "all members are ready for it");
        assertEquals(before, await(cluster.node(1).counter("e1").ask(new Where())));
        for (int i = 0; i < 20; i++) {
            assertEquals(1, await(cluster.node(i % 3).counter("new" + i).ask(new AddAndGet(1))));
        }

        long leaving = System.nanoTime();
        cluster.leave(first);
        assertTrue(since(leaving) < 8000, "no wait for a takeover");
        cluster.untilMembers(2);
        until("five seconds have passed", () -> {
            assertEquals(1, reigns.begins(), "no node takes over");
            return since(leaving) > 5000;
        });
        long rest = System.nanoTime();
        await(Future.all(cluster.leaving(cluster.node(0)), cluster.leaving(cluster.node(0))));
        assertTrue(since(rest) < 10_000, "the others leave without a coordinator");
        assertEquals(Map.of(), census.live());
        assertEquals(List.of(), census.faults());
    }

    @Test
    @DisplayName("a shutdown is announced and the coordinator's node leaves, the others stay: it is gone quickly, they"
            + " keep their entities")
    void whoStaysLongerKeepsItsEntities() {
        joinWithUsualLeases();
        spread();
        TestCluster.Node first = cluster.node(0);
        assertEquals(first.id(), cluster.coordinator());
        Traffic traffic = Traffic.start(cluster.node(2), CounterMessage.COUNTER, Traffic.hundred("e"));
        Traffic.start(first, CounterMessage.COUNTER, Traffic.hundred("f"));
        await(cluster.node(1).sharding().prepareForShutdown());
        long leaving = System.nanoTime();
        cluster.leave(first);
        long took = since(leaving);
        assertTrue(took < 5000, () -> "gone after " + took + " ms");
        Set<Census.Life> stayed = census.live().values().stream()
                .filter(life -> !life.node().equals(first.id().value()))
                .collect(Collectors.toSet());
        long quiet = System.nanoTime();
        until("their leases would be over", () -> since(quiet) > 12_000);
        assertEquals(2, reigns.begins(), () -> reigns.events().toString());
        assertTrue(census.live().values().containsAll(stayed), () -> "of " + stayed + " live " + census.live());
        assertEquals(1, await(cluster.node(1).counter("new").ask(new AddAndGet(1))));
        assertEquals(List.of(), stops(StopReason.LEASE_LOST));
        System.out.println("shutdown announced, the coordinator gone in " + took + " ms: " + traffic.stop());
        assertEquals(List.of(), census.faults());
    }

    @Test
    @DisplayName("an announced shutdown is told to operators, and refuses drains; it is taken back: a node that leaves"
            + " hands its shards over again")
    void isTakenBack() {
        join(3);
        spread();
        await(cluster.node(1).sharding().prepareForShutdown());
        assertNothingMoves(cluster.node(2));
        await(cluster.node(2).sharding().cancelShutdown());
        assertFalse(cluster.node(1).sharding().clusterState().stopping());
        Traffic traffic = Traffic.start(cluster.node(2), CounterMessage.COUNTER, Traffic.hundred("e"));
        cluster.leave(cluster.node(1));
        cluster.leave(cluster.node(0));
        assertEquals(1, await(cluster.node(0).counter("new").ask(new AddAndGet(1))));
        assertEquals(List.of(), traffic.stop().faults());
        assertEquals(List.of(), stops(StopReason.SHUTDOWN));
        assertEquals(List.of(), stops(StopReason.LEASE_LOST));
        assertEquals(List.of(), census.faults());
    }

    private void assertNothingMoves(TestCluster.Node asked) {
        String nothingMoves = "the whole cluster is about to stop, and nothing moves";
        assertTrue(cluster.nodes().stream()
                .allMatch(node -> node.sharding().clusterState().stopping()));
        Future<?> drain = asked.sharding().drain(cluster.node(1).id());
        until("the drain is answered", drain::isComplete);
        ShardingException refusal = assertInstanceOf(ShardingException.class, drain.cause());
        assertEquals(FailureCode.NOT_APPLICABLE, refusal.code());
        assertEquals(nothingMoves, refusal.getMessage());
        String type = CounterMessage.COUNTER.name();
        for (MovePlan.Action action : MovePlan.Action.values()) {
            MovePlan plan = await(asked.sharding()
                    .operations()
                    .plan(type, action, cluster.node(1).id()));
            assertEquals(List.of(), plan.moves(), action::toString);
            assertEquals(nothingMoves, plan.reasons().get(0), action::toString);
        }
        assertEquals(
                nothingMoves,
                await(asked.sharding().operations().why(type, 0)).reasons().get(0));
    }

    @Test
    @DisplayName("a member whose sharding has ended, and one that leaves meanwhile, do not fail the"
            + " announcement of a shutdown")
    void whoLeavesNeedNotKnowOfTheShutdown() {
        join(3);
        TestCluster.Node leaver = cluster.node(2);
        await(leaver.sharding().close());
        await(cluster.node(1).sharding().prepareForShutdown());
        Future<Void> gone = cluster.leaving(leaver);
        await(cluster.node(0).sharding().prepareForShutdown());
        await(gone);
        cluster.untilMembers(2);
        await(cluster.node(0).sharding().prepareForShutdown());
    }

    @Test
    @DisplayName("the last node of a cluster leaves at once, with entities that are busy")
    void lastNodeLeaves() {
        TestCluster.Node only = join();
        Future<Long> busy = only.counter("busy").ask(new CounterMessage.Slow(300));
        Future<Long> queued = only.counter("busy").ask(new Get());
        // a shard that has no home yet gets none from a node that leaves
        until("the entity is busy", () -> !census.live().isEmpty());
        long start = System.nanoTime();
        cluster.leave(only);
        assertTrue(since(start) < 5000, "left after " + since(start) + " ms");
        // an answer has one more way to go, to the thread of its asker
        await(Future.all(busy, queued));
        assertEquals(Map.of(), census.live());
    }

    @Test
    @DisplayName("a node that leaves does not wait for a cordoned node to take its shards")
    void theOnlyOtherNodeIsCordoned() {
        ShardingOptions patient = options().setRebalanceIntervalMs(600_000).setShutdownTimeoutMs(600_000);
        join(patient);
        TestCluster.Node leaving = cluster.node(0);
        await(leaving.counter("e").ask(new Where()));
        join(patient);
        await(leaving.sharding().operations().cordon(cluster.node(1).id(), true));
        await(leaving.sharding().prepareToLeave(Duration.ZERO));
        assertEquals(1, census.liveOn(leaving.id().value()), "its entity was not moved");
    }
}
