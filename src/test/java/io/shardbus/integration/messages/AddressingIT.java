package io.shardbus.integration.messages;

import static io.shardbus.integration.LoneNode.ask;
import static io.shardbus.integration.LoneNode.newType;
import static io.shardbus.integration.LoneNode.texts;
import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingEnvelope;
import io.shardbus.StartEntity;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.EntityLocation;
import io.shardbus.model.NodeId;
import io.shardbus.model.RestartPolicy;
import io.shardbus.spi.MessageExtractor;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Two nodes that may host, and one that lacks the role. */
class AddressingIT {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static TestCluster cluster;
    private static TestCluster.Node first;
    private static TestCluster.Node second;
    private static TestCluster.Node outside;

    @BeforeAll
    static void open() {
        cluster = new TestCluster();
        first = cluster.startNode(TestCluster.options().addRole("backend").setRebalanceIntervalMs(0));
        second = cluster.startNode(TestCluster.options().addRole("backend").setRebalanceIntervalMs(0));
        outside = cluster.startNode(TestCluster.options().setRebalanceIntervalMs(0));
    }

    @AfterAll
    static void close() {
        cluster.close();
    }

    /** Answers with the node it runs on. */
    private static Entity<String> where() {
        return (message, context) -> Future.succeededFuture(context.node().value());
    }

    /** The id of an entity is its shard. */
    private static final class Numbered implements MessageExtractor<String> {
        @Override
        public String entityId(String message) {
            return message;
        }

        @Override
        public int shard(String entityId, int numberOfShards) {
            return Integer.parseInt(entityId) % numberOfShards;
        }
    }

    @Test
    @DisplayName("START-01 a node without the type's role gets a proxy with the same type, role and addressing")
    void isAProxyWithoutTheRole() {
        EntityDefinition<String> definition =
                texts(id -> where()).withRole("backend").withMessageExtractor(new Numbered());
        cluster.startType(definition);
        ShardRegion<?> proxy =
                outside.sharding().region(definition.type().name()).orElseThrow();
        assertTrue(proxy.isProxy());
        assertEquals(definition.type(), proxy.type());
        assertFalse(
                first.sharding().region(definition.type().name()).orElseThrow().isProxy());
        assertEquals(
                Set.of(first.id(), second.id()),
                await(outside.sharding().regions(definition.type().name())));
        EntityLocation byUsersShard = await(proxy.ask(new StartEntity("17"), EntityLocation.class, SOON));
        assertEquals(17, byUsersShard.shard());
    }

    @Test
    @DisplayName("START-05 two nodes, three shards: through one region all entities answer")
    void reachesBothNodesThroughOneRegion() {
        EntityDefinition<String> definition =
                texts(id -> where()).withRole("backend").withNumberOfShards(3).withMessageExtractor(new Numbered());
        cluster.startType(definition);
        Set<String> homes = new HashSet<>();
        for (String id : List.of("0", "1", "2")) {
            homes.add(await(ask(first.sharding().entityRef(definition.type(), id), id)));
        }
        assertEquals(Set.of(first.id().value(), second.id().value()), homes);
    }

    @Test
    @DisplayName("START-07 a node that joins gets new shards, is reached from the first, and locations can be told")
    void reachesANodeThatJoins() {
        EntityDefinition<String> definition =
                texts(id -> where()).withRole("backend").withMessageExtractor(new Numbered());
        EntityType<String> type = definition.type();
        await(first.sharding().start(definition));
        assertEquals(first.id().value(), await(ask(first.sharding().entityRef(type, "1"), "x")));
        await(second.sharding().start(definition));
        String home = await(ask(first.sharding().entityRef(type, "2"), "x"));
        assertEquals(second.id().value(), home, "the region with the fewest shards");
        EntityLocation location =
                await(first.sharding().locate(type.name(), "2")).orElseThrow();
        assertEquals(second.id(), location.node());
        assertEquals(2, location.shard());
        assertEquals("2", location.id());
        assertTrue(location.live());
        assertFalse(
                await(first.sharding().locate(type.name(), "102")).orElseThrow().live());
        assertTrue(await(first.sharding().locate(type.name(), "3")).isEmpty());
        Set<NodeId> both = Set.of(first.id(), second.id());
        assertEquals(both, await(first.sharding().regions(type.name())));
        assertEquals(both, await(second.sharding().regions(type.name())));
    }

    @Test
    @DisplayName(
            "START-08 three types at once, one with a restart policy: usable everywhere, never live without the role")
    void runsThreeTypes() {
        List<EntityDefinition<String>> definitions = List.of(
                texts(id -> where()).withRole("backend"),
                texts(id -> where()).withRole("backend"),
                texts(id -> where()).withRole("backend").withRestartPolicy(RestartPolicy.stop()));
        definitions.forEach(cluster::startType);
        for (EntityDefinition<String> definition : definitions) {
            for (int i = 0; i < 30; i++) {
                TestCluster.Node from = cluster.node(i % 3);
                String home = await(ask(from.sharding().entityRef(definition.type(), "e" + i), "x"));
                assertNotEquals(outside.id().value(), home);
            }
            ShardRegion<?> proxy =
                    outside.sharding().region(definition.type().name()).orElseThrow();
            assertEquals(0, await(proxy.state()).entities());
            assertEquals(0, await(proxy.state()).shards());
        }
    }

    @Test
    @DisplayName("START-11 START-12 start requests reach other nodes: bare, in an envelope, and by reference")
    void startsRemotely() {
        EntityDefinition<String> definition = texts(id -> where()).withRole("backend");
        cluster.startType(definition);
        @SuppressWarnings("unchecked")
        ShardRegion<String> proxy = (ShardRegion<String>)
                outside.sharding().region(definition.type().name()).orElseThrow();
        EntityLocation bare = await(proxy.ask(new StartEntity("a"), EntityLocation.class, SOON));
        Object wrapped = new ShardingEnvelope<>("b", new StartEntity("b"));
        EntityLocation inside = await(proxy.ask(wrapped, EntityLocation.class, SOON));
        EntityLocation byReference = await(proxy.entityRef("c").start());
        for (EntityLocation location : List.of(bare, inside, byReference)) {
            assertEquals(
                    location,
                    await(outside.sharding().locate(definition.type().name(), location.id()))
                            .orElseThrow());
        }
        assertEquals(
                3,
                await(first.sharding().typeState(definition.type().name())).shards().stream()
                        .mapToInt(shard -> shard.entities() == null ? 0 : shard.entities())
                        .sum());
    }

    @Test
    @DisplayName("TYPED-01 21 messages through two regions are answered, in envelopes and with their own ids")
    void answersEnvelopesAndMessagesWithIds() {
        EntityDefinition<String> definition = texts(
                        id -> (message, context) -> Future.succeededFuture(context.id() + "<" + message))
                .withRole("backend")
                .withMessageExtractor(new Numbered());
        ShardRegion<String> here = await(first.sharding().start(definition));
        ShardRegion<String> there = await(second.sharding().start(definition));
        for (int i = 0; i < 21; i++) {
            ShardRegion<String> region = i % 2 == 0 ? here : there;
            String id = String.valueOf(i % 5);
            assertEquals(id + "<hello", await(region.ask(new ShardingEnvelope<>(id, "hello"), String.class, SOON)));
            assertEquals(i + "<" + i, await(region.ask(String.valueOf(i), String.class, SOON)));
        }
    }

    @Test
    @DisplayName(
            "TYPED-02 a tell through a reference arrives, an ask is completed by the entity's answer, from every node")
    void tellsAndAsksByReference() {
        List<String> told = new CopyOnWriteArrayList<>();
        EntityDefinition<String> definition = texts(id -> (message, context) -> {
                    told.add(message);
                    return Future.succeededFuture("answer to " + message);
                })
                .withRole("backend");
        cluster.startType(definition);
        for (TestCluster.Node node : cluster.nodes()) {
            EntityRef<String> entity = node.sharding().entityRef(definition.type(), "one");
            entity.tell("tell from " + node.port());
            assertEquals("answer to ask", await(ask(entity, "ask")));
            assertTrue(told.contains("tell from " + node.port()), told.toString());
        }
    }

    @Test
    @DisplayName("TYPED-03 an entity that asks another one gets the adapted answer as a message of its own")
    void asksFromInsideAnEntity() {
        EntityType<String> echo = newType();
        EntityType<String> asker = newType();
        List<String> got = new CopyOnWriteArrayList<>();
        cluster.startType(EntityDefinition.of(echo, id -> (message, context) -> Future.succeededFuture(id + message))
                .withRole("backend"));
        for (TestCluster.Node node : List.of(first, second)) {
            await(node.sharding().start(EntityDefinition.of(asker, id -> (message, context) -> {
                if (message.startsWith("go ")) {
                    EntityRef<String> other = node.sharding().entityRef(echo, message.substring(3));
                    ask(other, "?").onSuccess(answer -> context.self().tell("adapted " + answer));
                } else {
                    got.add(message);
                }
                return Future.succeededFuture();
            })));
        }
        for (int i = 0; i < 10; i++) {
            first.sharding().entityRef(asker, "a" + i).tell("go e" + i);
        }
        TestCluster.until("ten answers", () -> got.size() == 10);
        for (int i = 0; i < 10; i++) {
            assertTrue(got.contains("adapted e" + i + "?"), got.toString());
        }
    }
}
