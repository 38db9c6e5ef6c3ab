package io.shardbus.integration.queries;

import static io.shardbus.integration.LoneNode.ask;
import static io.shardbus.integration.LoneNode.failureCode;
import static io.shardbus.integration.LoneNode.newType;
import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.core.protocol.Query;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.shardbus.transport.QueryCodec;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.ReplyException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A node that hosts nothing, and three that do. */
class QueryIT {
    private static TestCluster cluster;
    private static TestCluster.Node outside;

    @BeforeAll
    static void open() {
        cluster = new TestCluster();
        outside = cluster.startNode(
                TestCluster.options().setRebalanceIntervalMs(0).setQueryTimeoutMs(1000));
        for (int i = 0; i < 3; i++) {
            cluster.startNode(TestCluster.options()
                    .setRebalanceIntervalMs(0)
                    .setQueryTimeoutMs(1000)
                    .addRole("host"));
        }
    }

    @AfterAll
    static void close() {
        cluster.close();
    }

    private static EntityType<String> start(CountDownLatch gate) {
        EntityType<String> type = newType();
        cluster.startType(EntityDefinition.of(type, id -> (message, context) -> {
                    if (message.equals("block")) {
                        pass(gate);
                    }
                    return Future.succeededFuture(context.node().value());
                })
                .withRole("host"));
        return type;
    }

    private static void pass(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static EntityType<String> start() {
        return start(new CountDownLatch(0));
    }

    private static Set<NodeId> hosts() {
        return cluster.nodes().stream()
                .map(TestCluster.Node::id)
                .filter(id -> !id.equals(outside.id()))
                .collect(Collectors.toSet());
    }

    private static TypeState state(EntityType<?> type) {
        return await(outside.sharding().typeState(type.name()));
    }

    private static int entities(TypeState state) {
        return state.shards().stream()
                .mapToInt(shard -> shard.entities() == null ? 0 : shard.entities())
                .sum();
    }

    @Test
    @DisplayName("QUERY-09 proxy node and hosts, no entity yet: the query for the current regions already answers")
    void regionsAreKnownBeforeAnyEntity() {
        assertEquals(hosts(), await(outside.sharding().regions(start().name())));
    }

    @Test
    @DisplayName("a node that does not coordinate refuses to drain, and does not say that nothing was to be moved")
    void onlyTheCoordinatorDrains() {
        Query.Drain question = new Query.Drain(new NodeId("unknown"));
        List<Integer> answers = cluster.nodes().stream()
                .map(node -> await(outside.vertx()
                        .eventBus()
                        .<Buffer>request("__vertx.shardbus.query." + node.id(), QueryCodec.write(question))
                        .map(answer ->
                                QueryCodec.readAnswer(question, answer.body()).handoffs())
                        .recover(failure -> Future.succeededFuture(-((ReplyException) failure).failureCode()))))
                .sorted()
                .toList();
        int refused = -FailureCode.NOT_IN_MAJORITY.number();
        int unknown = -FailureCode.UNKNOWN_NODE.number();
        assertEquals(List.of(unknown, refused, refused, refused), answers, "the coordinator alone judges the node");
    }

    @Test
    @DisplayName("QUERY-10 three hosting regions with 0 shards, none failed; four entities: counts sum to 4")
    void countsPerRegion() {
        EntityType<String> type = start();
        TypeState empty = state(type);
        assertEquals(
                hosts(),
                empty.regions().stream()
                        .filter(region -> !region.proxy())
                        .map(TypeState.Region::node)
                        .collect(Collectors.toSet()));
        assertTrue(empty.regions().stream().allMatch(region -> region.shards() == 0 && region.entities() == 0));
        assertEquals(Set.of(), empty.failed());
        for (int i = 0; i < 4; i++) {
            await(ask(outside.sharding().entityRef(type, "e" + i), "x"));
        }
        TypeState full = state(type);
        assertEquals(4, entities(full));
        assertEquals(
                4, full.regions().stream().mapToInt(TypeState.Region::entities).sum());
        assertEquals(
                3, full.regions().stream().filter(region -> !region.proxy()).count());
        assertEquals(Set.of(), full.failed());
    }

    @Test
    @DisplayName("QUERY-06 answers hold counts per shard, failed ones apart; none failed is the empty"
            + " set; equal content is equal")
    void equalContentIsEqual() {
        EntityType<String> type = start();
        for (int i = 0; i < 10; i++) {
            await(ask(outside.sharding().entityRef(type, "e" + i), "x"));
        }
        // frames are counted, too, and the one that acknowledges the last answer may come between two questions
        List<TypeState> answers = new ArrayList<>();
        TestCluster.until("two nodes say the same", () -> {
            answers.clear();
            answers.add(state(type));
            answers.add(await(cluster.node(1).sharding().typeState(type.name())));
            return answers.get(0).equals(answers.get(1));
        });
        TypeState one = answers.get(0);
        TypeState other = answers.get(1);
        assertEquals(one.hashCode(), other.hashCode());
        assertEquals(Set.of(), one.failed());
        assertEquals(10, entities(one));
    }

    @Test
    @DisplayName("QUERY-07 QUERY-08 failures and answers are kept apart; the text says how many of how many")
    void keepsFailuresApart() {
        CountDownLatch gate = new CountDownLatch(1);
        EntityType<String> type = start(gate);
        TypeState none = state(type);
        assertEquals(
                "type " + type.name()
                        + ": 0 of 100 shards have a home, 0 entities in 0 of them; 4 of 4 regions answered",
                none.summary());
        String blocked = await(ask(outside.sharding().entityRef(type, "a"), "x"));
        for (int i = 0; i < 20; i++) {
            await(ask(outside.sharding().entityRef(type, "e" + i), "x"));
        }
        outside.sharding().entityRef(type, "a").tell("block");
        try {
            TestCluster.until("one failed", () -> !state(type).failed().isEmpty());
            TypeState some = state(type);
            assertEquals(Set.of(new NodeId(blocked)), some.failed());
            assertTrue(some.summary().endsWith("3 of 4 regions answered, not: [" + blocked + "]"), some.summary());
            for (TypeState.Shard shard : some.shards()) {
                if (shard.home().value().equals(blocked)) {
                    assertNull(shard.entities());
                } else {
                    assertEquals(true, shard.entities() != null);
                }
            }
        } finally {
            gate.countDown();
        }
        TestCluster.until("all answer again", () -> state(type).failed().isEmpty());
    }

    @Test
    @DisplayName("QUERY-11 a type that was not started has no shards; nor one just started; one message"
            + " makes one shard with the id")
    void aMessageMakesAShard() {
        TypeState unknown = await(outside.sharding().typeState("not-started"));
        assertEquals(0, unknown.numberOfShards());
        assertTrue(unknown.shards().isEmpty()
                && unknown.regions().isEmpty()
                && unknown.failed().isEmpty());
        assertEquals(Set.of(), await(outside.sharding().entityIds("not-started", 3)));
        assertEquals(FailureCode.UNKNOWN_TYPE, failureCode(outside.sharding().rebalance("not-started")));
        EntityType<String> type = start();
        assertTrue(state(type).shards().isEmpty());
        await(ask(outside.sharding().entityRef(type, "only"), "x"));
        TypeState one = state(type);
        assertEquals(1, one.shards().size());
        TypeState.Shard shard = one.shards().get(0);
        assertEquals(1, shard.entities());
        assertEquals(Set.of("only"), await(outside.sharding().entityIds(type.name(), shard.shard())));
        assertEquals(TypeState.ShardStatus.ACTIVE, shard.status());
    }

    @Test
    @DisplayName("QUERY-12 statistics of a type that was not started are empty; after one message:"
            + " the own address, one shard")
    void statisticsOfTheOwnRegion() {
        TestCluster.Node host = cluster.node(1);
        assertFalse(host.sharding().region("not-started").isPresent());
        EntityType<String> type = newType();
        await(host.sharding()
                .start(EntityDefinition.of(type, id -> (message, context) -> Future.succeededFuture(message))));
        await(ask(host.sharding().entityRef(type, "a"), "x"));
        TypeState.Region own =
                await(host.sharding().region(type.name()).orElseThrow().state());
        assertEquals(host.id(), own.node());
        assertEquals(1, own.shards());
        assertEquals(1, own.entities());
    }

    @Test
    void tellsIdsOfAShardFromEveryNode() {
        EntityType<String> type = start();
        Set<String> ids = new HashSet<>();
        int shard = -1;
        for (int i = 0; ids.size() < 3; i++) {
            int of = await(outside.sharding().entityRef(type, "i" + i).start()).shard();
            shard = shard < 0 ? of : shard;
            if (of == shard) {
                ids.add("i" + i);
            }
        }
        for (TestCluster.Node node : cluster.nodes()) {
            assertEquals(ids, await(node.sharding().entityIds(type.name(), shard)));
        }
    }
}
