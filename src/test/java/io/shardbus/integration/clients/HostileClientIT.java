package io.shardbus.integration.clients;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.ShardingException;
import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.options.ShardingOptions;
import io.shardbus.transport.ControlCodec;
import io.shardbus.transport.ControlMessage;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client of the event bus that speaks in the name of members, with the cluster's secret set. */
class HostileClientIT {
    @TempDir
    Path directory;

    private ShardingOptions options(String secret) {
        try {
            Path file = Files.writeString(directory.resolve(secret), "the secret of a cluster: " + secret);
            return TestCluster.options().setLeaseDurationMs(4_000).setClusterSecretFile(file.toString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void withTheSecretNothingForgedOrRepeatedCounts() {
        ShardingOptions options = options("one");
        EntityDefinition<String> type = places();
        try (var cluster = new TestCluster().start(3, options)) {
            List<Recorded> recorded = new CopyOnWriteArrayList<>();
            cluster.nodes().forEach(node -> record(node.vertx().eventBus(), recorded));
            cluster.startType(type);
            cluster.untilMembers(3);
            NodeId coordinator = cluster.coordinator();
            long term = cluster.node(0).sharding().clusterState().term();
            Map<NodeId, String> homes = homes(cluster, type);
            TestCluster.until("frames between nodes are seen", () -> recorded.size() > 100);

            EventBus bus = cluster.node(1).vertx().eventBus();
            for (TestCluster.Node victim : cluster.nodes()) {
                for (TestCluster.Node forged : cluster.nodes()) {
                    forgeries(forged.id(), term, type.type().name())
                            .forEach(frame -> bus.send(control(victim.id()), frame));
                }
                JsonObject end = new JsonObject().put("question", "prepare");
                String address = "__vertx.shardbus.query." + victim.id();
                ReplyException refusal = assertThrows(
                        ReplyException.class,
                        () -> await(bus.request(address, end, new DeliveryOptions().setSendTimeout(2_000))));
                assertEquals(FailureCode.INCOMPATIBLE.number(), refusal.failureCode(), refusal.getMessage());
            }
            recorded.forEach(frame -> bus.send(frame.address(), frame.body()));

            assertEquals(homes, homes(cluster, type), "the same instances answer");
            assertEquals(coordinator, cluster.coordinator());
            assertTrue(
                    cluster.nodes().stream()
                            .allMatch(node -> node.sharding().clusterState().term() == term),
                    "the reign goes on");
        }
    }

    @Test
    void aNodeWithAnotherSecretAndOneWithoutAreToldSoAndHostNothing() {
        EntityDefinition<String> type = places();
        try (var cluster = new TestCluster().start(2, options("one"))) {
            cluster.startType(type);
            cluster.untilMembers(2);
            cluster.coordinator();
            for (ShardingOptions other :
                    List.of(options("two"), TestCluster.options().setLeaseDurationMs(4_000))) {
                TestCluster.Node odd = cluster.startNode(other);
                cluster.untilMembers(3);
                TestCluster.until("it is told before it starts anything", () -> isToldOfItsSecret(odd));
                assertFalse(odd.sharding().isReady());
                assertEquals(List.of(), cluster.node(0).sharding().notReadyReasons());
                ShardingException refusal = assertThrows(
                        ShardingException.class, () -> await(odd.sharding().start(type)));
                assertEquals(FailureCode.INCOMPATIBLE, refusal.code());
                assertTrue(refusal.getMessage().contains("clusterSecretFile"), refusal.getMessage());
                cluster.leave(odd);
                cluster.untilMembers(2);
            }
            homes(cluster, type);
        }
    }

    private static boolean isToldOfItsSecret(TestCluster.Node node) {
        String reasons = node.sharding().notReadyReasons().toString();
        assertFalse(reasons.contains("the secret of a cluster"), reasons);
        return reasons.contains("clusterSecretFile is ");
    }

    /** What goes over the bus to addresses of nodes. */
    private record Recorded(String address, Buffer body) {}

    private static void record(EventBus bus, List<Recorded> recorded) {
        bus.<Object>addOutboundInterceptor(delivery -> {
            String address = delivery.message().address();
            if (address.startsWith("__vertx.shardbus.") && delivery.body() instanceof Buffer body) {
                recorded.add(new Recorded(address, body.copy()));
            }
            delivery.next();
        });
    }

    private static String control(NodeId node) {
        return "__vertx.shardbus.control." + node;
    }

    /** What would end the reign, take leases, or make shards free. */
    private static List<Buffer> forgeries(NodeId from, long term, String type) {
        return List.of(
                frame(new ControlMessage.ForNode(from, new NodeMessage.TermAnnounced(new TermId(term + 1, 1), from))),
                frame(new ControlMessage.ForNode(
                        from, new NodeMessage.TermAnnounced(new TermId(Long.MAX_VALUE, 1), from))),
                frame(new ControlMessage.ForNode(from, new NodeMessage.NodeLeaving(from, true))),
                frame(new ControlMessage.ForNode(
                        from, new NodeMessage.Abdicated(new TermId(term, 1), Map.of(type, Set.of())))),
                frame(new ControlMessage.ForCoordinator(
                        from, new TermId(term, 1), type, new ToCoordinator.Goodbye(1L << 32))));
    }

    private static Buffer frame(ControlMessage message) {
        Buffer frame = ControlCodec.begin(message.from());
        ControlCodec.append(frame, message);
        return frame;
    }

    private static EntityDefinition<String> places() {
        return LoneNode.texts(id -> new Entity<>() {
            @Override
            public Future<?> receive(String message, EntityContext<String> context) {
                return reply(context.node() + " " + context.token() + " " + System.identityHashCode(this));
            }
        });
    }

    /** Which instance of one entity each node finds. */
    private static Map<NodeId, String> homes(TestCluster cluster, EntityDefinition<String> type) {
        Map<NodeId, String> homes = new TreeMap<>();
        for (TestCluster.Node node : cluster.nodes()) {
            homes.put(
                    node.id(),
                    await(node.sharding()
                            .entityRef(type.type(), "one")
                            .request("where", String.class, Duration.ofSeconds(20))));
        }
        return homes;
    }
}
