package io.shardbus.transport;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.protocol.Query;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.fuzz.Mutants;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
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
        ALL.put(new Query.HomeOf("cart", 7), new QueryAnswer.Home(100, Optional.of(RESTING)));
        ALL.put(new Query.HomeOf("cart", 8), QueryAnswer.Home.UNKNOWN);
        ALL.put(new Query.IsOpen("cart"), new QueryAnswer.Open(true, 1));
        ALL.put(new Query.Rebalance("cart"), new QueryAnswer.Handoffs(4));
        ALL.put(new Query.Rebalance("other"), QueryAnswer.Handoffs.OF_UNKNOWN_TYPE);
        ALL.put(new Query.Drain(NODE), new QueryAnswer.Handoffs(2));
        ALL.put(new Query.Undrain(NODE), new QueryAnswer.Handoffs(1));
        ALL.put(new Query.Drained(), new QueryAnswer.Nodes(List.of(NODE)));
        ALL.put(new Query.PrepareForShutdown(true), new QueryAnswer.Done());
        ALL.put(new Query.PrepareForShutdown(false), new QueryAnswer.Done());
        ALL.put(new Query.Greet("cart", NODE, 4), new QueryAnswer.Lanes(2));
        ALL.put(
                new Query.RegionOf("cart"),
                new QueryAnswer.Region(
                        true, List.of(new QueryAnswer.ShardCount(7, 1, 2, 3, 1L << 40)), 5, Map.of("told", 6L)));
        ALL.put(new Query.IdsOf("cart", 7), new QueryAnswer.Ids(Set.of("x", "y"), true));
        ALL.put(new Query.IsLive("cart", 7, "x"), new QueryAnswer.Live(true, false));
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
