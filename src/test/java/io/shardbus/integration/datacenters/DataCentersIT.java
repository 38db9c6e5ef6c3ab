package io.shardbus.integration.datacenters;

import static io.shardbus.testkit.ClusterTestKit.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.daemon.ClusterSingleton;
import io.shardbus.daemon.SingletonVerticle;
import io.shardbus.datacenter.DataCenterEvent;
import io.shardbus.datacenter.DataCenters;
import io.shardbus.integration.Await;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.CounterMessage.Add;
import io.shardbus.integration.CounterMessage.AddAndGet;
import io.shardbus.integration.CounterMessage.Get;
import io.shardbus.integration.LogLines;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.options.DataCenterOptions;
import io.shardbus.options.SingletonOptions;
import io.shardbus.testkit.ClusterTestKit;
import io.shardbus.testkit.ClusterTestKit.Node;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** East has three nodes, west has two. Links between them can be cut; the network within them is whole. */
@TestMethodOrder(OrderAnnotation.class)
@Tag("slow")
class DataCentersIT {
    private static final String EAST = "east";
    private static final String WEST = "west";
    private static final List<String> IDS =
            IntStream.range(0, 10).mapToObj(number -> "counter-" + number).toList();

    private static final Vertx NETWORK = Vertx.vertx();
    private static final List<CuttableLink> TO_EAST = new ArrayList<>();
    private static final List<CuttableLink> TO_WEST = new ArrayList<>();
    private static final Map<NodeId, DataCenters> CENTERS = new HashMap<>();
    private static final Map<NodeId, Queue<DataCenterEvent>> EVENTS = new HashMap<>();
    private static ClusterTestKit east;
    private static ClusterTestKit west;

    @BeforeAll
    static void start() {
        for (int i = 0; i < 3; i++) {
            TO_EAST.add(CuttableLink.start(NETWORK));
        }
        for (int i = 0; i < 2; i++) {
            TO_WEST.add(CuttableLink.start(NETWORK));
        }
        east = ClusterTestKit.start(3);
        west = ClusterTestKit.start(2);
        for (int i = 0; i < 3; i++) {
            TO_EAST.get(i).to(join(east.node(i), EAST, WEST, TO_WEST, 0).port());
        }
        for (int i = 0; i < 2; i++) {
            TO_WEST.get(i).to(join(west.node(i), WEST, EAST, TO_EAST, 0).port());
        }
        nodes().forEach(node -> await(centers(node).start(Counter.definition())));
        untilReachable(true);
    }

    private static DataCenters join(Node node, String self, String other, List<CuttableLink> links, int port) {
        var options = new DataCenterOptions()
                .setName(self)
                .setPort(port)
                .setOthers(
                        Map.of(other, links.stream().map(CuttableLink::address).toList()))
                .setHeartbeatIntervalMs(100)
                .setUnreachableAfterMs(1000);
        var centers = await(DataCenters.start(node.vertx(), node.sharding(), options));
        var events = new ConcurrentLinkedQueue<DataCenterEvent>();
        centers.onChange(events::add);
        EVENTS.put(node.id(), events);
        CENTERS.put(node.id(), centers);
        return centers;
    }

    @AfterAll
    static void stop() {
        east.close();
        west.close();
        await(NETWORK.close());
    }

    private static List<Node> nodes() {
        var all = new ArrayList<>(east.nodes());
        all.addAll(west.nodes());
        return all;
    }

    private static DataCenters centers(Node node) {
        return CENTERS.get(node.id());
    }

    private static String other(Node node) {
        return centers(node).self().equals(EAST) ? WEST : EAST;
    }

    private static EntityRef<CounterMessage> counter(Node node, String dataCenter, String id) {
        return centers(node).entityRef(CounterMessage.COUNTER, dataCenter, id);
    }

    private static long add(Node node, String dataCenter, String id) {
        return await(counter(node, dataCenter, id).ask(new AddAndGet(1)));
    }

    private static void untilReachable(boolean reachable) {
        nodes().forEach(node -> untilReachable(node, reachable));
    }

    private static void untilReachable(Node node, boolean reachable) {
        Await.until(
                () -> centers(node).others().toString(),
                () -> centers(node).others().get(other(node)).isReachable() == reachable);
    }

    private static FailureCode failure(Future<?> future) {
        return assertThrows(ShardingException.class, () -> await(future)).code();
    }

    @Test
    @Order(1)
    @DisplayName("DC-01 DC-02 a reference without a data center, and with the own one, leads to the own one")
    void theOwnDataCenterAnswers() {
        for (var id : IDS) {
            assertEquals(
                    1,
                    await(centers(east.node(0))
                            .entityRef(CounterMessage.COUNTER, id)
                            .ask(new AddAndGet(1))));
            assertEquals(2, add(east.node(1), EAST, id));
            counter(east.node(2), EAST, id).tell(new Add(5));
            assertEquals(8, add(east.node(2), EAST, id));
            assertEquals(1, add(west.node(0), WEST, id), "the entity of the same id in west is another one");
        }
    }

    @Test
    @Order(2)
    @DisplayName("DC-01 DC-03 a reference to the other data center leads there, also from a node that only started a"
            + " type there")
    void theOtherDataCenterAnswers() {
        for (var id : IDS) {
            assertEquals(2, add(east.node(0), WEST, id));
            assertEquals(9, add(west.node(1), EAST, id));
            for (int i = 0; i < 50; i++) {
                counter(east.node(1), WEST, id).tell(new Add(1));
            }
            assertEquals(53, add(east.node(1), WEST, id), "messages of one thread arrive in order");
        }
        var location = await(counter(east.node(1), WEST, "counter-0").start());
        assertTrue(west.nodes().stream().anyMatch(node -> node.id().equals(location.node())), location::toString);
        assertEquals(
                FailureCode.ENTITY_FAILED,
                failure(counter(east.node(0), WEST, "refusing").ask(new CounterMessage.Refuse())));
        assertEquals(
                FailureCode.TIMED_OUT,
                failure(counter(east.node(0), WEST, "slow")
                        .ask(new CounterMessage.Slow(1000), Duration.ofMillis(200))));

        var proxied = EntityDefinition.of(EntityType.of("proxied", CounterMessage.class), id -> new Counter());
        await(centers(east.node(0)).start(proxied, WEST));
        assertTrue(east.node(0).sharding().region("proxied").isEmpty(), "hosts nothing");
        var there = centers(east.node(0)).entityRef(proxied.type(), WEST, "p");
        assertEquals(FailureCode.UNKNOWN_TYPE, failure(there.request(new Get(), Long.class, Duration.ofSeconds(5))));
        west.nodes().forEach(node -> await(centers(node).start(proxied)));
        assertEquals(1L, await(there.request(new AddAndGet(1), Long.class, Duration.ofSeconds(15))));
    }

    /** Answers where it lives. */
    private static final class Here extends SingletonVerticle<String> {
        private final String dataCenter;

        private Here(String dataCenter) {
            this.dataCenter = dataCenter;
        }

        @Override
        protected Future<?> receive(String message) {
            return Future.succeededFuture(dataCenter);
        }
    }

    @Test
    @Order(3)
    @DisplayName(
            "DC-09 each data center has a coordinator and a singleton of its own, and reaches the other's singleton")
    void whatExistsOnceExistsOncePerDataCenter() {
        assertTrue(east.nodes().stream().anyMatch(node -> node.id().equals(east.coordinator())));
        assertTrue(west.nodes().stream().anyMatch(node -> node.id().equals(west.coordinator())));
        var options = new SingletonOptions().setName("here");
        for (var node : nodes()) {
            var self = centers(node).self();
            var singleton = await(
                    ClusterSingleton.start(node.vertx(), node.sharding(), options, String.class, () -> new Here(self)));
            centers(node).share(singleton.proxy().type());
        }
        for (var node : nodes()) {
            for (var dataCenter : List.of(EAST, WEST)) {
                var proxy = centers(node).singletonProxy("here", String.class, dataCenter);
                assertEquals(dataCenter, await(proxy.request("where", String.class, Duration.ofSeconds(10))));
            }
        }
    }

    private static void cut() {
        TO_EAST.forEach(CuttableLink::cut);
        TO_WEST.forEach(CuttableLink::cut);
    }

    private static void heal() {
        TO_EAST.forEach(CuttableLink::heal);
        TO_WEST.forEach(CuttableLink::heal);
    }

    private static void assertAllAnswerAtHome() {
        for (var node : nodes()) {
            for (var id : IDS) {
                await(counter(node, centers(node).self(), id).ask(new Get(), Duration.ofSeconds(20)));
            }
        }
    }

    private static List<Boolean> heard(Node node) {
        return EVENTS.get(node.id()).stream().map(DataCenterEvent::reachable).toList();
    }

    @Test
    @Order(4)
    @DisplayName("DC-04 DC-05 DC-06 DC-07 DC-08 a cut changes nothing within data centers, and all nodes hear of it")
    void aCutChangesNothingWithinDataCenters() {
        EVENTS.values().forEach(Queue::clear);
        var termsBefore = List.of(east.coordinator(), west.coordinator());
        try (var log = new LogLines("io.shardbus.datacenter.DataCenterLink")) {
            cut();
            var underWay = counter(east.node(0), WEST, "counter-0").ask(new Get(), Duration.ofSeconds(30));
            untilReachable(false);
            assertEquals(FailureCode.OUTCOME_UNKNOWN, failure(underWay));
            nodes().forEach(node -> assertEquals(List.of(false), heard(node)));
            assertEquals(5, log.with(": unreachable: ").size(), "one warning on each node");

            assertEquals(
                    FailureCode.DATA_CENTER_UNREACHABLE,
                    failure(counter(east.node(0), WEST, "counter-0").ask(new Get())));
            long lost = centers(east.node(0)).others().get(WEST).lostTells();
            counter(east.node(0), WEST, "counter-0").tell(new Add(1));
            Await.until(
                    () -> "not counted",
                    () -> centers(east.node(0)).others().get(WEST).lostTells() == lost + 1);

            assertAllAnswerAtHome();
            assertEquals(termsBefore, List.of(east.coordinator(), west.coordinator()));
            nodes().forEach(node -> assertEquals(List.of(), node.sharding().restartReasons()));

            leaveAndRestartInWest();
            excludeOneOfEast();

            heal();
            untilReachable(true);
            nodes().forEach(node ->
                    assertEquals(true, heard(node).get(heard(node).size() - 1), "the last event on " + node.id()));
            assertTrue(add(east.node(0), WEST, "counter-1") > 0);
            assertTrue(add(west.node(0), EAST, "counter-1") > 0);
        }
    }

    /**
     * A node of west leaves during the cut and starts again on the same host and port; the other one leaves for
     * good.
     */
    private static void leaveAndRestartInWest() {
        var restarted = west.node(0);
        int port = centers(restarted).port();
        west.leave(restarted);
        west.untilMembers(1);
        var again = west.startNode(ClusterTestKit.options(), restarted.port(), new VertxOptions());
        west.untilMembers(2);
        assertNotEquals(restarted.id(), again.id());
        join(again, WEST, EAST, TO_EAST, port);
        await(centers(again).start(Counter.definition()));
        var gone = west.node(0);
        west.leave(gone);
        west.untilMembers(1);
        assertEquals(List.of(again.id()), west.nodes().stream().map(Node::id).toList());
    }

    /** The nodes of west count neither for nor against it: two of three go on. */
    private static void excludeOneOfEast() {
        var crashed = east.node(2);
        east.kill(crashed);
        east.untilMembers(2);
        assertAllAnswerAtHome();
        assertEquals(
                east.nodes().stream().map(Node::id).collect(Collectors.toSet()),
                await(east.node(0).sharding().regions("counter")));
    }
}
