package io.shardbus.integration.remembering;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.CounterMessage.AddAndGet;
import io.shardbus.integration.CounterMessage.Get;
import io.shardbus.integration.SavedCounter;
import io.shardbus.integration.TestCluster;
import io.shardbus.integration.Traffic;
import io.shardbus.model.FailureCode;
import io.shardbus.model.StartReason;
import io.shardbus.options.ShardingOptions;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Remembered entities on real clusters, in the store that is in the memory of all nodes. */
class RememberIT {
    private static final EntityType<CounterMessage> OTHER = EntityType.of("other", CounterMessage.class);

    private final TestCluster cluster = new TestCluster();

    @AfterEach
    void close() {
        cluster.close();
    }

    private static EntityDefinition<CounterMessage> remembered() {
        return Counter.definition().withNumberOfShards(12).withRememberEntities(true);
    }

    private static EntityDefinition<CounterMessage> forgotten() {
        return EntityDefinition.of(OTHER, id -> new Counter()).withNumberOfShards(12);
    }

    private Set<String> live(EntityType<?> type) {
        Set<String> ids = new TreeSet<>();
        for (int shard = 0; shard < 12; shard++) {
            // a home that has just left answers nothing
            ids.addAll(await(
                    cluster.node(0).sharding().entityIds(type.name(), shard).otherwise(Set.of())));
        }
        return ids;
    }

    private Set<String> startEntities() {
        Set<String> ids = new TreeSet<>();
        for (String id : Traffic.hundred("e")) {
            ids.add(id);
            await(cluster.node(0).counter(id).ask(new Get()));
            await(cluster.node(0).sharding().entityRef(OTHER, id).ask(new Get()));
        }
        return ids;
    }

    @Test
    @DisplayName("REM-21, REM-22: the shards of a node move: remembered entities live at the new home without"
            + " a message, others do not")
    void rememberedEntitiesMoveWithTheirShards() {
        cluster.start(2, TestCluster.options().setRebalanceIntervalMs(0))
                .startType(remembered())
                .startType(forgotten());
        Set<String> ids = startEntities();
        TestCluster.Node emptied = cluster.node(1);
        assertTrue(await(cluster.node(0).sharding().drain(emptied.id())) > 0);
        until(
                "no shard is there",
                () -> List.of(CounterMessage.COUNTER, OTHER).stream().allMatch(type -> shardsAt(emptied, type) == 0));
        until("all remembered entities live", () -> live(CounterMessage.COUNTER).equals(ids));
        assertTrue(live(OTHER).size() < ids.size());
    }

    private long shardsAt(TestCluster.Node node, EntityType<?> type) {
        return await(cluster.node(0).sharding().typeState(type.name())).shards().stream()
                .filter(shard -> shard.home().equals(node.id()))
                .count();
    }

    @Test
    @DisplayName("REM-22: shards are handed off: their entities are alive without a message and keep what"
            + " they saved; those of another"
            + " type with the same ids are not touched")
    void entitiesThatMoveKeepWhatTheySaved() {
        SavedCounter.Database database = new SavedCounter.Database();
        ShardingOptions options = TestCluster.options().setRebalanceIntervalMs(0);
        TestCluster.Node first = cluster.startNode(new ShardingOptions(options).addRole("staying"));
        TestCluster.Node former = cluster.startNode(new ShardingOptions(options).addRole("moving"));
        EntityDefinition<CounterMessage> moving = saved(database, CounterMessage.COUNTER, "moving");
        EntityDefinition<CounterMessage> staying = saved(database, OTHER, "staying");
        cluster.startType(moving).startType(staying);
        Set<String> ids = new TreeSet<>(Traffic.hundred("e"));
        for (String id : ids) {
            await(first.counter(id).ask(new AddAndGet(id.length())));
            await(first.sharding().entityRef(OTHER, id).ask(new AddAndGet(1000)));
        }
        TestCluster.Node next = cluster.startNode(new ShardingOptions(options).addRole("moving"));
        await(next.sharding().start(moving));
        await(next.sharding().start(staying));

        assertTrue(await(first.sharding().drain(former.id())) > 0);
        until(
                "all moved entities live",
                () -> live(CounterMessage.COUNTER).equals(ids)
                        && ids.stream()
                                .allMatch(id -> database.start(CounterMessage.COUNTER, id)
                                        .node()
                                        .equals(next.id())));
        for (String id : ids) {
            assertEquals(
                    new SavedCounter.Start(next.id(), StartReason.REMEMBERED, id.length()),
                    database.start(CounterMessage.COUNTER, id));
            assertEquals(id.length(), await(first.counter(id).ask(new Get())));
            assertEquals(new SavedCounter.Start(first.id(), StartReason.MESSAGE, 0), database.start(OTHER, id));
            assertEquals(1000, await(first.sharding().entityRef(OTHER, id).ask(new Get())));
        }
        assertEquals(ids, live(OTHER));
    }

    private static EntityDefinition<CounterMessage> saved(
            SavedCounter.Database database, EntityType<CounterMessage> type, String role) {
        return database.definition(type).withNumberOfShards(12).withRole(role).withRememberEntities(true);
    }

    @Test
    @DisplayName("REM-23: a node leaves with its coordinator: its remembered entities appear on the"
            + " others without a message")
    void rememberedEntitiesSurviveTheirNodes() {
        cluster.start(3, TestCluster.options()).startType(remembered()).startType(forgotten());
        Set<String> ids = startEntities();
        TestCluster.Node coordinator = cluster.nodes().stream()
                .filter(node -> node.id().equals(cluster.coordinator()))
                .findFirst()
                .orElseThrow();
        cluster.leave(coordinator);
        until("all remembered entities live", () -> live(CounterMessage.COUNTER).equals(ids));
    }

    @Test
    @DisplayName("CONF-01: a node that does not remember the type's entities is refused when it joins")
    void aNodeThatDoesNotRememberIsRefused() {
        cluster.start(2, TestCluster.options());
        await(cluster.node(0).sharding().start(remembered()));
        ShardingException refusal = assertThrows(
                ShardingException.class,
                () -> await(cluster.node(1).sharding().start(remembered().withRememberEntities(false))));
        assertEquals(FailureCode.INCOMPATIBLE, refusal.code());
        assertFalse(String.valueOf(refusal.getMessage()).isEmpty());
    }
}
