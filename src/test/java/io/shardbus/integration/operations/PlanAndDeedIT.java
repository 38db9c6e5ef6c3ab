package io.shardbus.integration.operations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityRef;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.model.ClusterEvent;
import io.shardbus.model.MovePlan;
import io.shardbus.model.NodeId;
import io.shardbus.model.ShardReasons;
import io.shardbus.model.TypeState;
import io.shardbus.testkit.ClusterTestKit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Plans and what then happens")
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

    private List<ClusterEvent> moved(String cause) {
        return ClusterTestKit.await(cluster.node(0).sharding().operations().events("", 5_000)).events().stream()
                .filter(event -> event.kind() == ClusterEvent.Kind.SHARD_MOVED)
                .filter(event -> cause.equals(event.details().get("cause")))
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
                () -> moved("drain").size() == plan.moves().size());
        assertEquals(plan.shardsAfter(), shards(state()));
        assertEquals(
                new TreeSet<>(plan.moves().stream()
                        .map(move -> COUNTER + "/" + move.shard())
                        .toList()),
                new TreeSet<>(moved("drain").stream().map(ClusterEvent::subject).toList()));
        assertEquals(0, failed.get(), "asks that failed");
        ClusterTestKit.await(sharding.undrain(node));
    }

    @Test
    @DisplayName("a node leaves: the shards that the plan names move, as many to each node")
    void leaveAgrees() {
        NodeId node = cluster.node(2).id();
        MovePlan plan = ClusterTestKit.await(
                cluster.node(0).sharding().operations().plan(COUNTER, MovePlan.Action.LEAVE, node));
        cluster.leave(cluster.node(2));
        cluster.until("the shards are spread", () -> shards(state()).equals(withoutNode(plan, node)));
        cluster.until("all moves are told", () -> left().size() == plan.moves().size());
        assertEquals(subjects(plan), left());
        assertEquals(0, failed.get(), "asks that failed");
    }

    private Set<String> left() {
        return Stream.of("leave", "drain")
                .flatMap(cause -> moved(cause).stream())
                .map(ClusterEvent::subject)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Map<NodeId, Integer> withoutNode(MovePlan plan, NodeId node) {
        Map<NodeId, Integer> after = new TreeMap<>(plan.shardsAfter());
        assertEquals(0, after.remove(node));
        return after;
    }

    private static Set<String> subjects(MovePlan plan) {
        return plan.moves().stream()
                .map(move -> COUNTER + "/" + move.shard())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    @DisplayName("a node joins: the first round moves as many shards to it as the plan says")
    void joinAgrees() {
        MovePlan plan =
                ClusterTestKit.await(cluster.node(0).sharding().operations().plan(COUNTER, MovePlan.Action.JOIN, null));
        int joining = (int) plan.moves().stream()
                .filter(move -> move.to() != null && move.to().value().equals("joining"))
                .count();
        assertTrue(joining > 0, plan::toString);
        assertEquals(joining, plan.moves().size(), "all moves are to the node that joins");
        int before = moved("rebalance").size();
        NodeId node = cluster.startNode(ClusterTestKit.options().setNumberOfShards(SHARDS))
                .id();
        ClusterTestKit.await(cluster.node(3).sharding().start(Counter.definition()));
        cluster.until("the first round is over", () -> moved("rebalance").size() >= before + joining);
        List<ClusterEvent> first = moved("rebalance").subList(before, before + joining);
        assertTrue(
                first.stream()
                        .allMatch(move -> node.value().equals(move.details().get("to"))),
                first::toString);
        assertEquals(0, failed.get(), "asks that failed");
    }

    @Test
    @DisplayName("a round with a limit moves the shards that the plan with this limit names, and no more")
    void aLimitedRoundAgrees() {
        NodeId node = cluster.node(2).id();
        var sharding = cluster.node(0).sharding();
        ClusterTestKit.await(sharding.operations().setRebalancing("", false));
        ClusterTestKit.await(sharding.drain(node));
        cluster.until("the node is empty", () -> shards(state()).getOrDefault(node, 0) == 0);
        cluster.until("all moves are over", () -> moved("drain").size() == SHARDS / 3);
        ClusterTestKit.await(sharding.undrain(node));
        cluster.until("it may have shards again", () -> round().moves().size() > 2);
        MovePlan plan = round().first(2);
        assertEquals(2, plan.moves().size());
        assertTrue(plan.reasons().stream().anyMatch(reason -> reason.contains("the limit of the round")));
        int before = moved("rebalance").size();
        assertEquals(2, ClusterTestKit.await(sharding.rebalance(COUNTER, 2)));
        cluster.until("both moves are told", () -> moved("rebalance").size() >= before + 2);
        List<ClusterEvent> round =
                moved("rebalance").subList(before, moved("rebalance").size());
        assertEquals(
                subjects(plan),
                new TreeSet<>(round.stream().map(ClusterEvent::subject).toList()));
        assertEquals(plan.shardsAfter(), shards(state()));
        assertEquals(0, failed.get(), "asks that failed");
    }

    private MovePlan round() {
        return ClusterTestKit.await(
                cluster.node(1).sharding().operations().plan(COUNTER, MovePlan.Action.REBALANCE, null));
    }

    @Test
    @DisplayName("reasons name pinned shards, cordoned nodes and members that do not host the type")
    void namesWhatStays() {
        NodeId node = cluster.node(1).id();
        var operations = cluster.node(0).sharding().operations();
        ClusterTestKit.await(operations.pin(COUNTER, 0, homeOf(0)));
        cluster.until("the pin is a reason", () -> roundReasons().contains("1 shard is pinned"));
        assertTrue(
                roundReasons()
                        .contains("the strategy least-shards finds nothing to even out: nodes have 20 to 20 shards"),
                () -> roundReasons().toString());
        ClusterTestKit.await(operations.unpin(COUNTER, 0));
        ClusterTestKit.await(operations.cordon(node, true));
        NodeId other = cluster.startNode(ClusterTestKit.options().setNumberOfShards(SHARDS))
                .id();
        Map<NodeId, List<String>> against =
                Map.of(node, List.of("it is cordoned"), other, List.of("it has no region of the type"));
        cluster.until("the reasons against both nodes are there", () -> against.equals(reasonsAgainst()));
        MovePlan join = ClusterTestKit.await(operations.plan(COUNTER, MovePlan.Action.JOIN, null));
        assertTrue(join.moves().stream().noneMatch(move -> move.from().equals(node)), join::toString);
        assertEquals(List.of("node " + node + " is cordoned, and keeps its shards"), join.reasons());
    }

    private Map<NodeId, List<String>> reasonsAgainst() {
        return ClusterTestKit.await(cluster.node(0).sharding().operations().why(COUNTER, 0)).candidates().stream()
                .filter(candidate -> !candidate.against().isEmpty())
                .collect(Collectors.toMap(ShardReasons.Candidate::node, ShardReasons.Candidate::against));
    }

    private NodeId homeOf(int shard) {
        return state().shards().stream()
                .filter(each -> each.shard() == shard)
                .findFirst()
                .orElseThrow()
                .home();
    }

    private List<String> roundReasons() {
        return round().reasons();
    }

    @Test
    @DisplayName("a plan without a move says why")
    void saysWhyNothingMoves() {
        MovePlan plan = round();
        assertEquals(List.of(), plan.moves());
        assertTrue(
                plan.reasons()
                        .contains("the strategy least-shards finds nothing to even out: nodes have 20 to 20 shards"),
                () -> plan.reasons().toString());
    }
}
