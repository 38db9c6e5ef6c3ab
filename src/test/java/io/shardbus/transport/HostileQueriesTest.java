package io.shardbus.transport;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.protocol.EntityOrder;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.Query;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.fuzz.Mutants;
import io.shardbus.model.ClusterEvent;
import io.shardbus.model.DeadLetter;
import io.shardbus.model.EntityReport;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.HoldUp;
import io.shardbus.model.MovePlan;
import io.shardbus.model.NodeId;
import io.shardbus.model.NodeStatus;
import io.shardbus.model.ShardMove;
import io.shardbus.model.ShardReasons;
import io.shardbus.model.ShardSilence;
import io.shardbus.model.StartReason;
import io.shardbus.wire.WireFormatException;
import io.vertx.core.buffer.Buffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each query and each answer comes back as it was written; mutated ones are read or refused with a typed error. */
class HostileQueriesTest {
    private static final NodeId NODE = new NodeId("a");
    private static final QueryAnswer.Shard RESTING =
            new QueryAnswer.Shard(7, NODE, new FencingToken(1, 2, 3), true, null, 0);
    private static final QueryAnswer.Shard MOVING =
            new QueryAnswer.Shard(8, NODE, new FencingToken(1, 2, 4), false, new FencingToken(1, 2, 5), 120);
    private static final Map<Query<?>, QueryAnswer> ALL = new LinkedHashMap<>();

    static {
        ALL.put(
                new Query.TableOf("cart"),
                new QueryAnswer.Table(
                        List.of(RESTING, MOVING),
                        List.of(new QueryAnswer.RegionRow(NODE, false, true, false, 2)),
                        100,
                        3));
        ALL.put(new Query.HomeOf("cart", 7), new QueryAnswer.Home(100, Optional.of(RESTING), "external"));
        ALL.put(new Query.HomeOf("cart", 8), QueryAnswer.Home.UNKNOWN);
        ALL.put(new Query.IsOpen("cart"), new QueryAnswer.Open(false, 1, 250));
        ALL.put(new Query.Rebalance("cart"), new QueryAnswer.Handoffs(4));
        ALL.put(new Query.Rebalance("other"), QueryAnswer.Handoffs.OF_UNKNOWN_TYPE);
        ALL.put(new Query.Rebalance("cart", 3), new QueryAnswer.Handoffs(3));
        ALL.put(new Query.Drain(NODE), new QueryAnswer.Handoffs(2));
        ALL.put(new Query.Undrain(NODE), new QueryAnswer.Handoffs(1));
        ALL.put(new Query.Drained(), new QueryAnswer.Nodes(List.of(NODE)));
        ALL.put(new Query.PrepareForShutdown(true), QueryAnswer.Announced.FOLLOWED);
        ALL.put(new Query.PrepareForShutdown(false, NODE, 1L << 40), new QueryAnswer.Announced(1L << 41));
        ALL.put(new Query.Greet("cart", NODE, 4), new QueryAnswer.Lanes(2));
        ALL.put(
                new Query.RegionOf("cart"),
                new QueryAnswer.Region(
                        true,
                        List.of(new QueryAnswer.ShardCount(7, 1, 2, 3, 1L << 40, 1L << 50, 1L << 51)),
                        5,
                        Map.of("told", 6L),
                        Map.of(7, new HoldUp("x", 12_000, 3, List.of()), 8, new HoldUp(null, 0, 0, List.of(NODE)))));
        ALL.put(new Query.IdsOf("cart", 7), new QueryAnswer.Ids(Set.of("x", "y"), true));
        ALL.put(new Query.IsLive("cart", 7, "x"), new QueryAnswer.Live(true, false));
        ALL.put(
                new Query.EntityOf("cart", 7, "x"),
                new QueryAnswer.Found(
                        new EntityReport.Instance(
                                EntityReport.Phase.BUSY,
                                "a/cart/1",
                                StartReason.MOVED,
                                1L << 40,
                                true,
                                new EntityReport.Mailbox(3, 4, 5, 6, "java.lang.String", 7),
                                8,
                                new EntityReport.Failure("java.lang.Error", "thrown", 9)),
                        true,
                        false));
        ALL.put(new Query.EntityOf("cart", 7, "y"), new QueryAnswer.Found(null, false, true));
        ALL.put(new Query.StateOf("cart", 7, "x"), new QueryAnswer.State("{\"a\":1}", null, "", false));
        ALL.put(
                new Query.StateOf("cart", 7, "y"),
                new QueryAnswer.State(null, FailureCode.TIMED_OUT, "it is busy", false));
        for (EntityOrder order : EntityOrder.values()) {
            ALL.put(new Query.Treat("cart", 7, "x", order), new QueryAnswer.Treated("not remembered", true));
        }
        ALL.put(new Query.Erase("cart", 7, "x"), new QueryAnswer.Erased(null, "", true));
        ALL.put(
                new Query.Erase("cart", 7, "y"),
                new QueryAnswer.Erased(FailureCode.STORE_UNAVAILABLE, "no store", false));
        ALL.put(
                new Query.EventsOf(7, 100),
                new QueryAnswer.Events(
                        List.of(new ClusterEvent(
                                NODE,
                                8,
                                1_700_000_000_000L,
                                ClusterEvent.Kind.SHARD_MOVED,
                                "cart/7",
                                Map.of("shard", 7L, "forced", true, "to", "b"))),
                        8));
        ALL.put(
                new Query.Overview(),
                new QueryAnswer.Types(List.of(new QueryAnswer.Type(
                        "cart",
                        new QueryAnswer.Table(List.of(RESTING), List.of(), 100, 3),
                        List.of(
                                new ShardMove(
                                        7, ShardMove.Cause.DRAIN, ShardMove.Phase.STARTING, NODE, NODE, 12, 3, 0, null),
                                new ShardMove(
                                        8, ShardMove.Cause.LEAVE, ShardMove.Phase.WAITING, NODE, null, 0, 0, 2, null)),
                        4,
                        "least-shards",
                        true,
                        Map.of(7, NODE),
                        Set.of(NODE)))));
        ALL.put(
                new Query.Order(new OperatorOrder(OperatorOrder.Kind.MOVE, "cart", NODE, 7)),
                new QueryAnswer.Ordered("it is cordoned"));
        ALL.put(
                new Query.Order(new OperatorOrder(OperatorOrder.Kind.PAUSE, "", null, -1)),
                new QueryAnswer.Ordered(""));
        ALL.put(
                new Query.PlanOf("cart", MovePlan.Action.DRAIN, NODE),
                new QueryAnswer.Plan(new MovePlan(
                        List.of(new MovePlan.Move(7, NODE, null), new MovePlan.Move(8, NODE, NODE)),
                        List.of("why"),
                        Map.of(NODE, 9))));
        ALL.put(
                new Query.WhyOf("cart", 7),
                new QueryAnswer.Why(new ShardReasons(
                        "cart",
                        7,
                        NODE,
                        "external",
                        null,
                        NODE,
                        12,
                        List.of(new ShardReasons.Candidate(NODE, 3, "1", List.of("it leaves"))),
                        List.of("paused"))));
        ALL.put(
                new Query.StatusOf(),
                new QueryAnswer.Status(
                        new NodeStatus(
                                1,
                                0.5,
                                1L << 30,
                                1L << 31,
                                3,
                                9,
                                true,
                                Map.of("java", "17"),
                                1_795_000_000_000L,
                                4_000,
                                Map.of("lanes", "2"),
                                Map.of("b", 2_500L)),
                        Map.of("cart", new QueryAnswer.Region(false, List.of(), 5, Map.of("told", 6L), Map.of()))));
        ALL.put(
                new Query.DeadLettersOf(),
                new QueryAnswer.DeadLetters(
                        List.of(new DeadLetter(NODE, 5, "cart", 7, "c1", "Add", "MAILBOX_FULL", "it is full"))));
        ALL.put(
                new Query.SilencesOf(),
                new QueryAnswer.Silences(List.of(
                        new ShardSilence(NODE, 5, "cart", 7, new FencingToken(3, 1L << 60, 9), 120, 30, true))));
        ALL.put(new Query.Unknown("of a later build"), new QueryAnswer.Done());
    }

    @Test
    void eachComesBackAsItWasWritten() {
        assertAll(ALL.entrySet().stream().map(pair -> () -> {
            assertEquals(pair.getKey(), QueryCodec.readQuery(QueryCodec.write(pair.getKey())));
            assertEquals(pair.getValue(), QueryCodec.readAnswer(pair.getKey(), QueryCodec.write(pair.getValue())));
        }));
    }

    @Test
    void queriesWithMistakesAreReadOrRefused() {
        List<byte[]> real = ALL.keySet().stream()
                .map(query -> QueryCodec.write(query).getBytes())
                .toList();
        new Mutants(real)
                .decode(
                        bytes -> QueryCodec.readQuery(Buffer.buffer(bytes)).toString(),
                        Set.of(WireFormatException.class),
                        read -> {});
    }

    @Test
    void answersWithMistakesAreReadOrRefused() {
        ALL.forEach((query, answer) -> new Mutants(
                        List.of(QueryCodec.write(answer).getBytes()))
                .decode(
                        bytes -> String.valueOf(QueryCodec.<QueryAnswer>readAnswer(ofAny(query), Buffer.buffer(bytes))),
                        Set.of(WireFormatException.class),
                        read -> {}));
    }

    @SuppressWarnings("unchecked") // what is read is only written out
    private static Query<QueryAnswer> ofAny(Query<?> query) {
        return (Query<QueryAnswer>) query;
    }
}
