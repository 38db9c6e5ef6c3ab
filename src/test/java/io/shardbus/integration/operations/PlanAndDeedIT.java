package io.shardbus.integration.operations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityRef;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.model.ClusterEvent;
import io.shardbus.model.MovePlan;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.shardbus.testkit.ClusterTestKit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("The plan of a drain and the drain")
@Timeout(120)
class PlanAndDeedIT {
    private static final String COUNTER = "counter";
    private static final int SHARDS = 60;
    private static final int COUNTERS = 300;

    private final ClusterTestKit cluster = ClusterTestKit.create();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicInteger failed = new AtomicInteger();
    private Thread traffic;

    @BeforeEach
    void start() {
        for (int i = 0; i < 3; i++) {
            cluster.startNode(ClusterTestKit.options().setNumberOfShards(SHARDS));
        }
        cluster.startType(Counter.definition());
        for (int i = 0; i < COUNTERS; i++) {
            ClusterTestKit.await(counter(i).ask(new CounterMessage.AddAndGet(1)));
        }
        cluster.until(
                "the shards are even",
                () -> state().regions().stream().allMatch(region -> region.shards() == SHARDS / 3));
        traffic = new Thread(this::ask, "traffic");
        traffic.start();
    }

    private EntityRef<CounterMessage> counter(int number) {
        return cluster.node(0).sharding().entityRef(CounterMessage.COUNTER, "c" + number);
    }

    private TypeState state() {
        return ClusterTestKit.await(cluster.node(0).sharding().typeState(COUNTER));
    }

    private void ask() {
        for (int i = 0; !ended.get(); i++) {
            ClusterTestKit.await(counter(i % COUNTERS)
                    .ask(new CounterMessage.AddAndGet(1))
                    .onFailure(failure -> failed.incrementAndGet())
                    .otherwiseEmpty());
        }
    }

    @AfterEach
    void stop() throws InterruptedException {
        ended.set(true);
        traffic.join();
        cluster.close();
    }

    private static Map<NodeId, Integer> shards(TypeState state) {
        return state.regions().stream()
                .collect(
                        Collectors.toMap(TypeState.Region::node, TypeState.Region::shards, Integer::sum, TreeMap::new));
    }

    private List<ClusterEvent> drained() {
        return ClusterTestKit.await(cluster.node(0).sharding().operations().events("", 5_000)).events().stream()
                .filter(event -> event.kind() == ClusterEvent.Kind.SHARD_MOVED)
                .filter(event -> "drain".equals(event.details().get("cause")))
                .toList();
    }

    @Test
    @DisplayName("under traffic: the same shards move, as many to each node, and the table is as it was foretold")
    void agree() {
        NodeId node = cluster.node(2).id();
        var sharding = cluster.node(0).sharding();
        MovePlan plan = ClusterTestKit.await(sharding.operations().plan(COUNTER, MovePlan.Action.DRAIN, node));
        assertEquals(shards(state()), new TreeMap<>(plan.shards()));
        ClusterTestKit.await(sharding.drain(node));
        cluster.until("the node is empty", () -> shards(state()).getOrDefault(node, 0) == 0);
        cluster.until(
                "the last shard is at home",
                () -> drained().size() == plan.moves().size());
        assertEquals(plan.shardsAfter(), shards(state()));
        assertEquals(
                new TreeSet<>(plan.moves().stream()
                        .map(move -> COUNTER + "/" + move.shard())
                        .toList()),
                new TreeSet<>(drained().stream().map(ClusterEvent::subject).toList()));
        assertEquals(0, failed.get(), "asks that failed");
        ClusterTestKit.await(sharding.undrain(node));
    }

    @Test
    @DisplayName("a plan without a move says why")
    void saysWhyNothingMoves() {
        MovePlan plan = ClusterTestKit.await(
                cluster.node(1).sharding().operations().plan(COUNTER, MovePlan.Action.REBALANCE, null));
        assertEquals(List.of(), plan.moves());
        assertTrue(
                plan.reasons()
                        .contains("the strategy least-shards finds nothing to even out: nodes have 20 to 20 shards"),
                () -> plan.reasons().toString());
    }
}
