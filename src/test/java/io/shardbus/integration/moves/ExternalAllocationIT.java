package io.shardbus.integration.moves;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.ExternalShardAllocation;
import io.shardbus.ShardingException;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.CounterMessage.Where;
import io.shardbus.integration.TestCluster;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.shardbus.options.ShardingOptions;
import io.shardbus.store.infinispan.InfinispanRecords;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Programs outside decide where shards live, through any node of a cluster. */
@Tag("slow")
class ExternalAllocationIT {
    private static final int SHARDS = 12;
    private static final String TYPE = CounterMessage.COUNTER.name();

    private final TestCluster cluster = new TestCluster();

    @AfterEach
    void close() {
        cluster.close();
    }

    private static ShardingOptions options() {
        // with an hour between rounds, what moves soon has been moved by the client's word
        return TestCluster.options()
                .setAllocationStrategy("external")
                .setRebalanceIntervalMs(TimeUnit.HOURS.toMillis(1));
    }

    private static EntityDefinition<CounterMessage> definition() {
        return Counter.definition().withNumberOfShards(SHARDS).withMessageExtractor(new ShardInId<>());
    }

    private ExternalShardAllocation client(int node) {
        return cluster.node(node).sharding().externalAllocation(TYPE);
    }

    private String placeOf(int shard, int asked) {
        return await(cluster.node(asked).counter("e" + shard).ask(new Where())).node();
    }

    private NodeId id(int node) {
        return cluster.node(node).id();
    }

    private NodeId homeOf(int shard) {
        return await(cluster.node(0).sharding().typeState(TYPE)).shards().stream()
                .filter(row -> row.shard() == shard && row.status() == TypeState.ShardStatus.ACTIVE)
                .map(TypeState.Shard::home)
                .findFirst()
                .orElse(new NodeId("none"));
    }

    @Test
    @DisplayName("EXT-01 a type that was never started has no desired homes, on any node, and refuses new ones")
    void knowsNothingOfATypeThatWasNeverStarted() {
        cluster.start(2, options());
        assertEquals(Map.of(), await(client(1).homes()));
        var refused =
                assertThrows(ShardingException.class, () -> await(client(1).setHome(0, id(0))));
        assertEquals(FailureCode.UNKNOWN_TYPE, refused.code());
        assertEquals(Map.of(), await(client(0).homes()));
    }

    @Test
    @DisplayName("EXT-04 EXT-05 four nodes: a shard lives where it is wanted, else with the node that asked for it")
    void placesShardsWhereTheyAreWanted() {
        cluster.start(4, options()).startType(definition());
        await(client(3).setHome(1, id(0)));
        for (int asked : List.of(1, 2)) {
            assertEquals(id(0).value(), placeOf(1, asked));
        }
        assertEquals(id(2).value(), placeOf(2, 2), "no desired home: the node that asked");
        assertEquals(id(3).value(), placeOf(3, 3), "no desired home: the node that asked");
    }

    @Test
    @DisplayName(
            "EXT-02 EXT-03 three nodes whose desired homes cannot be read: a new shard goes to the node that asked,"
                    + " and nothing moves; when they can be read again, shards move there")
    void goesOnWhileTheDesiredHomesCannotBeRead() {
        cluster.start(3, options()).startType(definition());
        await(client(0).setHomes(Map.of(1, id(0), 2, id(0))));
        InfinispanRecords records =
                ShardbusClusterManager.of(cluster.node(2).vertx()).records();
        String name = "desired-homes/" + TYPE;
        String readable = await(records.read(name));
        assertTrue(await(records.replace(name, readable, "no record")));
        assertEquals(id(1).value(), placeOf(1, 1), "the node that asked");
        assertEquals(id(2).value(), placeOf(2, 2), "the node that asked");
        assertEquals(0, await(cluster.node(0).sharding().rebalance(TYPE)), "shards that begin to move");
        assertEquals(id(1), homeOf(1));
        assertEquals(id(2), homeOf(2));
        assertTrue(await(records.replace(name, "no record", readable)));
        until("both have moved, in a round that could read them", () -> {
            await(cluster.node(0).sharding().rebalance(TYPE));
            return homeOf(1).equals(id(0)) && homeOf(2).equals(id(0));
        });
        records.close();
    }

    @Test
    @DisplayName(
            "EXT-05 homes set in bulk move live shards at once, are read on all nodes, and outlast the coordinator")
    void movesShardsAndOutlastsTheCoordinator() {
        cluster.start(4, options()).startType(definition());
        for (int shard = 0; shard < SHARDS; shard++) {
            assertEquals(id(1).value(), placeOf(shard, 1));
        }
        Map<Integer, NodeId> wanted = new HashMap<>();
        for (int shard = 0; shard < SHARDS - 1; shard++) {
            wanted.put(shard, id(2 + shard % 2));
        }
        await(client(1).setHomes(wanted));
        for (int node = 0; node < 4; node++) {
            assertEquals(wanted, await(client(node).homes()));
        }
        wanted.forEach((shard, home) ->
                until("shard " + shard + " has moved", () -> homeOf(shard).equals(home)));
        assertEquals(id(1).value(), placeOf(SHARDS - 1, 3), "not wanted elsewhere: it stays");

        assertEquals(id(0), cluster.coordinator());
        cluster.leave(cluster.node(0));
        cluster.untilMembers(3);
        until("another one coordinates", () -> cluster.agreedCoordinator() != null);
        assertEquals(wanted, await(client(2).homes()));
        await(client(2).setHome(SHARDS - 1, id(2)));
        until("the next coordinator moves shards", () -> homeOf(SHARDS - 1).equals(id(2)));

        await(client(0).clear(wanted.keySet()));
        assertEquals(Map.of(SHARDS - 1, id(2)), await(client(1).homes()));
        await(client(0).clearAll());
        assertEquals(Map.of(), await(client(2).homes()));
        wanted.forEach((shard, home) -> assertEquals(home, homeOf(shard), "a cleared shard stays"));
    }

    @Test
    @DisplayName("EXT-05 what is wrong is refused with its code, and nothing of it is set")
    void refusesWhatIsWrong() {
        cluster.start(2, options()).startType(definition());
        Map<Map<Integer, NodeId>, FailureCode> wrong = Map.of(
                Map.of(1, id(0), SHARDS, id(0)), FailureCode.INVALID_ID,
                Map.of(-1, id(0)), FailureCode.INVALID_ID,
                Map.of(1, id(0), 2, new NodeId("stranger")), FailureCode.UNKNOWN_NODE);
        wrong.forEach((homes, code) -> {
            var refused =
                    assertThrows(ShardingException.class, () -> await(client(1).setHomes(homes)));
            assertEquals(code, refused.code(), homes.toString());
        });
        assertEquals(Map.of(), await(client(0).homes()));
    }

    @Test
    @DisplayName("EXT-05 writers on all nodes at a time: each shard has what was written for it")
    void writersAtATimeLoseNothing() {
        cluster.start(3, options()).startType(definition());
        var writes = new ArrayList<Future<Void>>();
        for (int shard = 0; shard < SHARDS; shard++) {
            writes.add(client(shard % 3).setHome(shard, id(shard % 2)));
        }
        writes.forEach(TestCluster::await);
        Map<Integer, NodeId> wanted = new HashMap<>();
        for (int shard = 0; shard < SHARDS; shard++) {
            wanted.put(shard, id(shard % 2));
        }
        assertEquals(wanted, await(client(1).homes()));
    }
}
