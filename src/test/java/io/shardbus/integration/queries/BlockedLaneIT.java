package io.shardbus.integration.queries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.admin.AdminRouter;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.TypeState;
import io.vertx.core.Future;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("While entity code blocks the only lane of a node, that node")
class BlockedLaneIT {
    private static final EntityType<String> TYPE = EntityType.of("blocker", String.class);
    private static final long QUERY_TIMEOUT_MS = 1_000;
    private static final long SHUTDOWN_TIMEOUT_MS = 2_000;

    private final TestCluster cluster = new TestCluster();
    private final CountDownLatch blocked = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private TestCluster.Node node;

    @BeforeEach
    void start() throws InterruptedException {
        var options = TestCluster.options()
                .setLanes(1)
                .setQueryTimeoutMs(QUERY_TIMEOUT_MS)
                .setShutdownTimeoutMs(SHUTDOWN_TIMEOUT_MS);
        // contexts get event loops in turn: with this number the lane has one for itself
        node = cluster.startNode(options, TestCluster.freePort(), new VertxOptions().setEventLoopPoolSize(64));
        cluster.startNode(options);
        cluster.startType(EntityDefinition.of(TYPE, id -> (message, context) -> {
            if (message.equals("block")) {
                block();
            }
            return Future.succeededFuture("done");
        }));
        cluster.untilMembers(2);
        // the node learns that its region is open by asking its lanes, which a blocked one would not answer
        TestCluster.await(node.sharding().region(TYPE).orElseThrow().ready());
        String here = idOnNode();
        node.sharding().entityRef(TYPE, here).tell("block");
        assertTrue(blocked.await(30, TimeUnit.SECONDS), "the lane is blocked");
    }

    private void block() {
        blocked.countDown();
        try {
            assertTrue(released.await(60, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String idOnNode() {
        for (int i = 0; i < 100; i++) {
            String id = "e" + i;
            TestCluster.await(
                    node.sharding().entityRef(TYPE, id).request("hello", String.class, Duration.ofSeconds(30)));
            if (TestCluster.await(node.sharding().locate(TYPE.name(), id))
                    .orElseThrow()
                    .node()
                    .equals(node.id())) {
                return id;
            }
        }
        throw new AssertionError("no entity is at home on the first node");
    }

    @AfterEach
    void stop() {
        released.countDown();
        cluster.close();
    }

    @Test
    @DisplayName("answers probes and questions about its shards in time, and says that a lane is blocked")
    void answers() {
        var vertx = node.vertx();
        int port = TestCluster.await(vertx.createHttpServer()
                        .requestHandler(AdminRouter.create(vertx, node.sharding()))
                        .listen(0, "127.0.0.1"))
                .actualPort();
        HttpResponse<Buffer> ready = TestCluster.await(WebClient.create(vertx)
                .get(port, "127.0.0.1", "/health/ready")
                .timeout(5_000)
                .send());
        assertEquals(200, ready.statusCode(), ready::bodyAsString);
        assertTrue(
                ready.bodyAsString().contains("a lane of 'blocker' has not answered for 500 ms"), ready::bodyAsString);
        TypeState state =
                TestCluster.await(node.sharding().typeState(TYPE.name()).timeout(5, TimeUnit.SECONDS));
        assertEquals(List.of(node.id()), List.copyOf(state.failed()));
    }

    @Test
    @DisplayName("is prepared to leave after shutdownTimeoutMs, though its shards cannot")
    void isPreparedToLeave() {
        TestCluster.await(node.sharding()
                .prepareToLeave(Duration.ZERO)
                .timeout(SHUTDOWN_TIMEOUT_MS + 3_000, TimeUnit.MILLISECONDS));
    }
}
