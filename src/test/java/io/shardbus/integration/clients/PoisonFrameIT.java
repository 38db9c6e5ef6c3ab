package io.shardbus.integration.clients;

import static io.shardbus.integration.TestCluster.await;
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
import io.shardbus.model.ClusterState;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.options.ShardingOptions;
import io.shardbus.transport.ControlCodec;
import io.shardbus.transport.ControlMessage;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A client of the event bus sends control frames that no node would send. */
class PoisonFrameIT {
    private static final ShardingOptions OPTIONS = TestCluster.options().setLeaseDurationMs(4_000);
    private static final NodeId STRANGER = new NodeId("stranger");
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    /** No two terms of a test are further apart, by the wall clock. */
    private static final long SANE = 600_000;

    @Test
    void oneFrameWithTheHighestTermEndsNothingAlsoAfterARollingRestart() {
        EntityDefinition<String> type = places();
        try (var cluster = new TestCluster().start(3, OPTIONS)) {
            cluster.startType(type);
            cluster.untilMembers(3);
            NodeId coordinator = cluster.coordinator();
            long term = terms(cluster).max().orElseThrow();
            TermId highest = new TermId(Long.MAX_VALUE, 1);
            for (NodeId sender :
                    List.of(STRANGER, cluster.node(2).id(), cluster.node(0).id())) {
                Buffer frame = frame(sender, new NodeMessage.TermAnnounced(highest, sender));
                cluster.nodes().forEach(node -> send(cluster.node(1).vertx(), node.id(), frame));
            }
            untilAnswered(cluster, type);
            assertTrue(
                    terms(cluster).allMatch(seen -> seen == term),
                    () -> "terms " + terms(cluster).boxed().toList());
            assertTrue(coordinator.equals(cluster.coordinator()), "the reign goes on");

            for (int i = 0; i < 3; i++) {
                cluster.leave(cluster.node(0));
                TestCluster.Node fresh = cluster.startNode(OPTIONS);
                cluster.untilMembers(3);
                await(fresh.sharding().start(type));
            }
            untilAnswered(cluster, type);
            assertSane(cluster);
        }
    }

    @Test
    void possibleTermsInTheNameOfMembersCostNoMoreThanElections() {
        EntityDefinition<String> type = places();
        try (var cluster = new TestCluster().start(3, OPTIONS)) {
            cluster.startType(type);
            cluster.untilMembers(3);
            cluster.coordinator();
            long before = terms(cluster).max().orElseThrow();
            for (int i = 1; i <= 20; i++) {
                TermId next = new TermId(before + i, 1);
                NodeId victim = cluster.node(i % 3).id();
                NodeId forged = cluster.node((i + 1) % 3).id();
                send(cluster.node(1).vertx(), victim, frame(forged, new NodeMessage.TermAnnounced(next, forged)));
                untilAnswered(cluster, type);
            }
            cluster.coordinator();
            untilAnswered(cluster, type);
            assertSane(cluster);
        }
    }

    @Test
    void typesAndNodesThatDoNotExistCreateNothing() {
        EntityDefinition<String> type = places();
        try (var cluster = new TestCluster().start(2, OPTIONS)) {
            cluster.startType(type);
            cluster.untilMembers(2);
            NodeId coordinator = cluster.coordinator();
            TermId term = term(cluster, type);
            NodeId member = cluster.node(1).id();
            for (int i = 0; i < 1_000; i++) {
                NodeId sender = i % 2 == 0 ? member : new NodeId("stranger-" + i);
                Buffer frame = ControlCodec.begin(sender);
                ControlCodec.append(
                        frame,
                        new ControlMessage.ForCoordinator(sender, term, "type-" + i, new ToCoordinator.Leave(i)));
                send(cluster.node(0).vertx(), coordinator, frame);
                send(
                        cluster.node(0).vertx(),
                        coordinator,
                        frame(
                                new NodeId("stranger-" + i),
                                new NodeMessage.Abdicated(term, Map.of("type-" + i, Set.of(STRANGER)))));
                send(cluster.node(0).vertx(), coordinator, frame(member, new NodeMessage.NodeLeaving(STRANGER, true)));
            }
            untilAnswered(cluster, type);
            assertTrue(coordinator.equals(cluster.coordinator()), "the reign goes on");
            TestCluster.Node reigning = cluster.nodes().stream()
                    .filter(node -> node.id().equals(coordinator))
                    .findFirst()
                    .orElseThrow();
            TestCluster.until("the type is unknown", () -> isUnknown(reigning, "type-10"));
        }
    }

    /** A type for which no coordinator was made. */
    private static boolean isUnknown(TestCluster.Node node, String type) {
        ShardingException failure = assertThrows(
                ShardingException.class, () -> await(node.sharding().rebalance(type)));
        return failure.code() == FailureCode.UNKNOWN_TYPE;
    }

    /** The reign of which the token of an entity is. */
    private static TermId term(TestCluster cluster, EntityDefinition<String> type) {
        String token = await(cluster.node(0)
                .sharding()
                .entityRef(type.type(), "one")
                .request("token", String.class, Duration.ofSeconds(20)));
        int colon = token.indexOf(':');
        return new TermId(Long.parseLong(token.substring(0, colon)), Long.parseLong(token.substring(colon + 1)));
    }

    private static EntityDefinition<String> places() {
        return LoneNode.texts(id -> new Entity<>() {
            @Override
            public Future<?> receive(String message, EntityContext<String> context) {
                FencingToken token = context.token();
                return reply(
                        message.equals("token")
                                ? token.term() + ":" + token.incarnation()
                                : context.node().value());
            }
        });
    }

    private static Buffer frame(NodeId from, NodeMessage message) {
        Buffer frame = ControlCodec.begin(from);
        ControlCodec.append(frame, new ControlMessage.ForNode(from, message));
        return frame;
    }

    private static void send(Vertx from, NodeId to, Buffer frame) {
        from.eventBus().send("__vertx.shardbus.control." + to, frame);
    }

    private static LongStream terms(TestCluster cluster) {
        return cluster.nodes().stream()
                .map(node -> node.sharding().clusterState())
                .mapToLong(ClusterState::term);
    }

    private static void assertSane(TestCluster cluster) {
        long latest = System.currentTimeMillis() + SANE;
        assertTrue(
                terms(cluster).allMatch(term -> term < latest),
                () -> "terms " + terms(cluster).boxed().toList());
    }

    /** An entity that has no home yet, and one in each shard that has, answer from every node. */
    private static void untilAnswered(TestCluster cluster, EntityDefinition<String> type) {
        String fresh = "fresh-" + System.nanoTime();
        for (TestCluster.Node node : cluster.nodes()) {
            for (String id : List.of("one", "two", "three", fresh)) {
                TestCluster.until(id + " answers " + node.id(), () -> answers(node, type, id));
            }
        }
    }

    private static boolean answers(TestCluster.Node node, EntityDefinition<String> type, String id) {
        try {
            await(node.sharding().entityRef(type.type(), id).request("where", String.class, PATIENCE));
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }
}
