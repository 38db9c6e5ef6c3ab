package io.shardbus.integration.split;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.ShardRegion;
import io.shardbus.admin.AdminRouter;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.SplitCluster;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a node on the losing side says of all its types, of itself, and to operators. */
@Tag("long-fault")
class SplitTypesIT {
    private static EntityDefinition<String> echo() {
        return LoneNode.texts(id -> new Entity<>() {
                    @Override
                    public Future<?> receive(String message, EntityContext<String> context) {
                        return reply(message);
                    }
                })
                .withNumberOfShards(10);
    }

    private static Future<String> ask(TestCluster.Node from, EntityDefinition<String> type, Duration timeout) {
        return from.sharding().entityRef(type.type(), "one").request("hello", String.class, timeout);
    }

    private static void untilAnswered(TestCluster.Node from, EntityDefinition<String> type) {
        until(
                type.type() + " answers through " + from.id(),
                () -> await(ask(from, type, Duration.ofSeconds(2)).map(true).otherwise(false)));
    }

    private static int serve(TestCluster.Node node) {
        var router = Router.router(node.vertx());
        router.route("/*").subRouter(AdminRouter.create(node.vertx(), node.sharding()));
        return await(node.vertx().createHttpServer().requestHandler(router).listen(0, "127.0.0.1"))
                .actualPort();
    }

    private static HttpResponse<Buffer> get(TestCluster.Node node, int port, String path) {
        var client = WebClient.create(node.vertx());
        var answer = await(client.get(port, "127.0.0.1", path).send());
        client.close();
        return answer;
    }

    @Test
    @DisplayName("SPLIT-01 SPLIT-03 a plain type, a remembered one, one that is hosted elsewhere and one"
            + " without a host, all shards with"
            + " outside leases: the lost node refuses them all, says so to operators, and is back by itself")
    void theLostNodeRefusesAllItsTypes() {
        var options = TestCluster.options()
                .setRebalanceIntervalMs(300)
                .setShardLease("infinispan")
                .setLeaseRetryIntervalMs(300)
                .setQueryTimeoutMs(500);
        try (var split = new SplitCluster(3, options)) {
            var lost = split.node(2);
            var plain = echo();
            var remembered = echo().withRememberEntities(true);
            var elsewhere = echo();
            var nowhere = echo().withRole("unused");
            var hosted = List.of(plain, remembered, elsewhere);
            List.of(plain, remembered, nowhere).forEach(split.cluster::startType);
            split.nodes().subList(0, 2).forEach(node -> await(node.sharding().start(elsewhere)));
            await(lost.sharding().startProxy(elsewhere));
            split.nodes().forEach(node -> hosted.forEach(type -> untilAnswered(node, type)));
            int port = serve(lost);
            until("ready", () -> get(lost, port, "/health/ready").statusCode() == 200);

            split.cut(Set.of(2));
            split.untilStopped(lost);
            for (var type : List.of(plain, remembered, elsewhere, nowhere)) {
                var refused = ask(lost, type, Duration.ofMinutes(5));
                assertEquals(FailureCode.NOT_IN_MAJORITY, LoneNode.failureCode(refused));
                var state = lost.sharding().typeState(type.type().name());
                assertEquals(FailureCode.NOT_IN_MAJORITY, LoneNode.failureCode(state));
            }
            assertEquals(
                    FailureCode.NOT_IN_MAJORITY,
                    LoneNode.failureCode(lost.sharding().drain(lost.id())));
            var health = get(lost, port, "/health/ready");
            assertEquals(503, health.statusCode());
            assertEquals("DOWN", health.bodyAsJsonObject().getString("status"));
            assertEquals(200, get(lost, port, "/health/live").statusCode());
            assertEquals(
                    503, get(lost, port, "/api/types/" + plain.type().name()).statusCode());
            var late = echo();
            Future<ShardRegion<String>> started = lost.sharding().start(late);
            split.nodes().subList(0, 2).forEach(node -> hosted.forEach(type -> untilAnswered(node, type)));
            assertFalse(started.isComplete());

            split.heal();
            split.untilWhole();
            await(started);
            untilAnswered(lost, late);
            split.nodes().forEach(node -> hosted.forEach(type -> untilAnswered(node, type)));
            until("ready again", () -> get(lost, port, "/health/ready").statusCode() == 200);
            var unhosted = LoneNode.failure(ask(lost, nowhere, Duration.ofSeconds(4)));
            assertEquals(FailureCode.TIMED_OUT, unhosted.code());
            assertTrue(String.valueOf(unhosted.getMessage()).contains("no node hosts"), unhosted::toString);
        }
    }
}
