package io.shardbus.daemon;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.TestCluster;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.model.EntityLocation;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.TypeState;
import io.shardbus.options.DaemonOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.store.infinispan.InfinispanRecords;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sets of workers in real clusters. */
@Tag("slow")
class ShardedDaemonProcessIT {
    private final TestCluster cluster = new TestCluster();
    private final RollCall calls = new RollCall();

    @AfterEach
    void close() {
        cluster.close();
        assertEquals(List.of(), calls.doubles(), "workers that lived twice at a time");
        assertEquals(Set.of(), calls.running(), "workers that outlived their nodes");
    }

    private static ShardingOptions options() {
        return TestCluster.options().setRebalanceIntervalMs(300).setRebalanceRelativeLimit(1.0);
    }

    private static DaemonOptions daemon(int workers) {
        return new DaemonOptions()
                .setName("feed")
                .setWorkers(workers)
                .setMaxWorkers(24)
                .setKeepAliveIntervalMs(100)
                .setKeepAliveThrottleMs(20);
    }

    private ShardedDaemonProcess start(TestCluster.Node node, DaemonOptions daemon) {
        return await(ShardedDaemonProcess.start(node.vertx(), node.sharding(), daemon, calls::worker));
    }

    private static Set<String> ids(int revision, int total) {
        return IntStream.range(0, total)
                .mapToObj(number -> new WorkerId(revision, total, number).text())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void untilRunning(int revision, int total) {
        until(total + " workers of revision " + revision, () -> calls.running().equals(ids(revision, total)));
    }

    @Test
    @DisplayName("DAEM-05 one node, a set of five: five starts with distinct ids, no more")
    void fiveWorkersStartOnce() {
        TestCluster.Node node = cluster.startNode(options());
        start(node, daemon(5));
        untilRunning(0, 5);
        for (String id : ids(0, 5)) {
            assertEquals(
                    true,
                    await(node.sharding()
                            .entityRef(ShardedDaemonProcess.type("feed"), id)
                            .request(WorkerCommand.RUN, Boolean.class, Duration.ofSeconds(20))));
        }
        assertEquals(5, calls.starts().size());
    }

    @Test
    @DisplayName("DAEM-08 with a throttle there is silence between two keep-alives, in a circle")
    void keepAlivesAreThrottled() {
        TestCluster.Node node = cluster.startNode(options());
        start(node, daemon(3).setKeepAliveThrottleMs(1000));
        untilRunning(0, 3);
        assertEquals(
                List.of("0", "1", "2"),
                calls.starts().stream().map(RollCall.Entry::id).toList());
        assertSilences();
        calls.clear();
        for (String id : ids(0, 3)) {
            await(node.vertx().undeploy(calls.entry(id).deployment()));
        }
        untilRunning(0, 3);
        int first = Integer.parseInt(calls.starts().get(0).id());
        assertEquals(
                IntStream.range(first, first + 3)
                        .mapToObj(number -> String.valueOf(number % 3))
                        .toList(),
                calls.starts().stream().map(RollCall.Entry::id).toList(),
                "the next round of the circle");
        assertSilences();
    }

    private void assertSilences() {
        List<RollCall.Entry> starts = calls.starts();
        for (int i = 1; i < starts.size(); i++) {
            long silence = TimeUnit.NANOSECONDS.toMillis(
                    starts.get(i).nanos() - starts.get(i - 1).nanos());
            assertTrue(silence >= 100, silence + " ms between " + (i - 1) + " and " + i);
        }
    }

    @Test
    @DisplayName("DAEM-09 DAEM-10 4 -> 16 -> 2: the old ones stop before the new ones start, and nothing else is left")
    void rescalesWhileRunning() {
        TestCluster.Node node = cluster.startNode(options());
        ShardedDaemonProcess process = start(node, daemon(4));
        untilRunning(0, 4);
        calls.clear();
        await(process.rescale(16));
        assertEquals(ids(0, 4), new TreeSet<>(calls.stops()));
        assertEquals(4, calls.stops().size());
        untilRunning(1, 16);
        assertEquals(16, calls.starts().size());
        calls.clear();
        await(process.rescale(2));
        assertEquals(ids(1, 16), new TreeSet<>(calls.stops()));
        untilRunning(2, 2);
        assertEquals(2, calls.starts().size());
        assertEquals(new DaemonState(2, 2, 16, true), await(process.state()));
        until("two shards with an entity each", () -> {
            List<Integer> entities = await(node.sharding().typeState("daemon-feed")).shards().stream()
                    .map(TypeState.Shard::entities)
                    .filter(count -> count != null && count > 0)
                    .toList();
            return entities.equals(List.of(1, 1));
        });
        for (int wrong : new int[] {0, 25}) {
            assertThrows(IllegalArgumentException.class, () -> await(process.rescale(wrong)));
        }
    }

    @Test
    @DisplayName("a worker after a rescaling has no lower token than the workers before, whose work it may have")
    void tokensRiseWithARescaling() {
        TestCluster.Node node = cluster.startNode(options());
        List<WorkerContext> told = new CopyOnWriteArrayList<>();
        ShardedDaemonProcess process =
                await(ShardedDaemonProcess.start(node.vertx(), node.sharding(), daemon(4), worker -> {
                    told.add(worker);
                    return calls.worker(worker);
                }));
        untilRunning(0, 4);
        FencingToken highest = tokens(told).max(Comparator.naturalOrder()).orElseThrow();
        told.clear();

        await(process.rescale(2));
        untilRunning(1, 2);

        assertEquals(List.of(highest, highest), tokens(told).toList());
    }

    private static Stream<FencingToken> tokens(List<WorkerContext> told) {
        return told.stream().map(WorkerContext::token);
    }

    @Test
    @DisplayName("DAEM-06 workers are spread over the nodes of the role, move when one leaves, and"
            + " are rescaled from any node")
    void spreadsOverTheRole() {
        List<ShardedDaemonProcess> processes = new ArrayList<>();
        for (List<String> roles : List.of(List.of("worker"), List.of("worker"), List.of("worker"), List.<String>of())) {
            TestCluster.Node node = cluster.startNode(options().setRoles(roles));
            processes.add(start(node, daemon(6).setRole("worker")));
        }
        untilRunning(0, 6);
        until(
                "two each",
                () -> calls.runningByNode().size() == 3
                        && calls.runningByNode().values().stream().allMatch(count -> count == 2));
        assertTrue(!calls.runningByNode().containsKey(cluster.node(3).id()), "a node without the role");

        cluster.leave(cluster.node(0));
        cluster.untilMembers(3);
        untilRunning(0, 6);
        await(processes.get(3).rescale(3));
        untilRunning(1, 3);
        assertTrue(calls.runningByNode().keySet().stream()
                .allMatch(home -> home.equals(cluster.node(0).id())
                        || home.equals(cluster.node(1).id())));
        assertEquals(await(processes.get(1).state()), await(processes.get(3).state()));
    }

    /** A set of two workers of which the second is this one; after a rescaling all are usual ones. */
    private ShardedDaemonProcess startWithSecond(TestCluster.Node node, Supplier<Deployable> second) {
        return await(ShardedDaemonProcess.start(
                node.vertx(),
                node.sharding(),
                daemon(2).setStopTimeoutMs(300),
                told -> told.total() == 2 && told.number() == 1 ? second.get() : calls.worker(told)));
    }

    @Test
    @DisplayName("DAEM-09 a worker whose stop hangs does not hold up a rescaling for longer than its stop timeout")
    void aWorkerThatHangsIsLeftBehind() {
        TestCluster.Node node = cluster.startNode(options());
        Promise<Void> gate = Promise.promise();
        AtomicInteger hanging = new AtomicInteger();
        ShardedDaemonProcess process = startWithSecond(node, () -> new VerticleBase() {
            @Override
            public Future<?> start() {
                hanging.incrementAndGet();
                return Future.succeededFuture();
            }

            @Override
            public Future<?> stop() {
                return gate.future();
            }
        });
        until("both run", () -> hanging.get() == 1 && calls.running().equals(Set.of("0")));
        await(process.rescale(3));
        untilRunning(1, 3);
        gate.complete();
    }

    @Test
    @DisplayName("DAEM-09 a worker whose start hangs does not hold up a rescaling for ever")
    void aWorkerThatHangsInItsStartIsLeftBehind() {
        TestCluster.Node node = cluster.startNode(options());
        Promise<Void> gate = Promise.promise();
        AtomicInteger hanging = new AtomicInteger();
        ShardedDaemonProcess process = startWithSecond(node, () -> new VerticleBase() {
            @Override
            public Future<?> start() {
                hanging.incrementAndGet();
                return gate.future();
            }
        });
        until(
                "one runs, the other one starts",
                () -> hanging.get() == 1 && calls.running().equals(Set.of("0")));
        await(process.rescale(3));
        untilRunning(1, 3);
        assertEquals(1, hanging.get());
        gate.complete();
    }

    @Test
    @DisplayName("Clients of the event bus cannot tell workers what to do")
    void refusesClientsOfTheBus() {
        TestCluster.Node node = cluster.startNode(options());
        start(node, daemon(1));
        untilRunning(0, 1);
        ReplyException refused = assertThrows(
                ReplyException.class,
                () -> await(node.vertx()
                        .eventBus()
                        .request(
                                "shardbus.daemon-feed",
                                new JsonObject().put("type", "WorkerCommand").put("value", "STOP"),
                                new DeliveryOptions().addHeader("entity-id", "0"))));
        assertEquals(FailureCode.INTERNAL_MESSAGE.number(), refused.failureCode());
        assertEquals(Set.of("0"), calls.running());
    }

    @Test
    @DisplayName(
            "DAEM-05 DAEM-09 three nodes: workers of a node that dies start on the others, and a rescaling whose node"
                    + " dies in its midst is finished by another")
    void survivesNodesThatDie() {
        List<ShardedDaemonProcess> processes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            processes.add(start(cluster.startNode(options()), daemon(6)));
        }
        untilRunning(0, 6);
        until("two each", () -> calls.runningByNode().values().stream().allMatch(count -> count == 2));

        DaemonState agreed = await(processes.get(2).state());
        DaemonState begun = agreed.rescaled(4);
        // as a node leaves it that dies right after it has written that it rescales
        TestCluster.Node dying = cluster.node(2);
        InfinispanRecords records = ShardbusClusterManager.of(dying.vertx()).records();
        assertTrue(await(new DaemonStore(records, "feed").replace(agreed, begun)));
        calls.forget(dying.id());
        cluster.kill(dying);
        // the store does not answer before the cluster has a view without the node
        until(
                "another node has finished it",
                () -> await(processes.get(0).state().otherwise(begun)).equals(begun.complete()));
        untilRunning(1, 4);
        assertTrue(calls.runningByNode().keySet().stream().noneMatch(dying.id()::equals));
    }

    @Test
    @DisplayName("DAEM-05 a worker that has undeployed itself is started again")
    void startsAgainWhatHasEnded() {
        TestCluster.Node node = cluster.startNode(options());
        start(node, daemon(2));
        untilRunning(0, 2);
        calls.clear();
        await(node.vertx().undeploy(calls.entry("1").deployment()));
        untilRunning(0, 2);
        assertEquals(List.of("1"), calls.stops());
        assertEquals(
                List.of("1"), calls.starts().stream().map(RollCall.Entry::id).toList());
    }

    @Test
    @DisplayName(
            "DAEM-01 DAEM-02 DAEM-03 DAEM-04 DAEM-07 ROLL-04 three nodes: ids, shards and states of workers, of which"
                    + " one node dies and two others rescale at the same time")
    void knowsItsWorkersByTheirIds() {
        List<ShardedDaemonProcess> processes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            processes.add(start(cluster.startNode(options()), daemon(6)));
        }
        untilRunning(0, 6);
        until("two each", () -> calls.runningByNode().values().stream().allMatch(count -> count == 2));
        assertShards(0, 6);
        // a node of an older release tells a worker by its plain id: it runs, and a second one does not start
        calls.clear();
        assertEquals(true, tell("4", WorkerCommand.RUN));
        assertEquals(List.of(), calls.starts());

        TestCluster.Node dying = cluster.node(2);
        Set<String> lost = calls.runningOn(dying.id());
        calls.forget(dying.id());
        cluster.kill(dying);
        untilRunning(0, 6);
        assertEquals(lost, startedIds(), "those of the node that died, and no others");
        assertEquals(List.of(), calls.stops(), "the others lived on");

        long rescaled = Stream.of(processes.get(0).rescale(4), processes.get(1).rescale(3))
                .filter(ShardedDaemonProcessIT::hasRescaled)
                .count();
        DaemonState agreed = await(processes.get(0).state());
        assertEquals(rescaled, agreed.revision(), "each that was acknowledged is a revision");
        assertEquals(agreed, await(processes.get(1).state()));
        assertTrue(agreed.completed());
        untilRunning((int) agreed.revision(), agreed.total());
        assertShards((int) agreed.revision(), agreed.total());

        calls.clear();
        assertEquals(false, tell("1", WorkerCommand.RUN), "a node that has not heard of the rescaling");
        for (String id : calls.running()) {
            await(cluster.node(0)
                    .vertx()
                    .undeploy(calls.entry(id).deployment())
                    .recover(elsewhere ->
                            cluster.node(1).vertx().undeploy(calls.entry(id).deployment())));
        }
        untilRunning((int) agreed.revision(), agreed.total());
        assertEquals(agreed.total(), calls.starts().size(), "keep-alives go to the ids of the agreed revision alone");
    }

    private static boolean hasRescaled(Future<Void> rescaling) {
        return await(rescaling
                .map(true)
                .recover(failure -> failure instanceof RescalingException
                        ? Future.succeededFuture(false)
                        : Future.failedFuture(failure)));
    }

    private boolean tell(String id, WorkerCommand command) {
        return await(cluster.node(0)
                .sharding()
                .entityRef(ShardedDaemonProcess.type("feed"), id)
                .request(command, Boolean.class, Duration.ofSeconds(20)));
    }

    private Set<String> startedIds() {
        return calls.starts().stream().map(RollCall.Entry::id).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Each worker is in the shard of its number, and its plain id would be there, too. */
    private void assertShards(int revision, int total) {
        for (TestCluster.Node node : cluster.nodes()) {
            for (int number = 0; number < total; number++) {
                String id = new WorkerId(revision, total, number).text();
                // its worker notes its start before the entity's own is over
                until(
                        id + " is live",
                        () -> await(node.sharding().locate("daemon-feed", id))
                                .filter(EntityLocation::live)
                                .isPresent());
                EntityLocation location =
                        await(node.sharding().locate("daemon-feed", id)).orElseThrow();
                assertEquals(number, location.shard());
                assertEquals(calls.entry(id).node(), location.node());
            }
        }
    }
}
