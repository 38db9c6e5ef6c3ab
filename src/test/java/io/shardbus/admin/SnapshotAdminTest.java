package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ClusterOperations;
import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.ShardingException;
import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.ClusterOverview;
import io.shardbus.model.FailureCode;
import io.shardbus.model.SilenceReport;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.client.WebClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A snapshot for a bug report")
class SnapshotAdminTest {
    private final LoneNode node = new LoneNode(TestCluster.options());

    @BeforeEach
    void start() {
        EntityDefinition<String> texts = LoneNode.texts(id -> (message, context) -> Future.succeededFuture(message));
        Await.result(LoneNode.ask(node.start(texts).entityRef("one"), "hello"));
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private JsonObject snapshot(ClusterOperations operations) {
        ClusterSharding sharding =
                LastEventsTest.replaced(ClusterSharding.class, node.sharding(), "operations", given -> operations);
        int port = Await.result(node.vertx()
                        .createHttpServer()
                        .requestHandler(AdminRouter.create(node.vertx(), sharding))
                        .listen(0, "127.0.0.1"))
                .actualPort();
        var answer = Await.result(WebClient.create(node.vertx())
                .get(port, "127.0.0.1", "/api/v1/snapshot")
                .send());
        assertEquals(200, answer.statusCode(), answer::bodyAsString);
        return answer.bodyAsJsonObject();
    }

    @Test
    @DisplayName("has what the other resources tell")
    void hasAll() {
        String self = node.sharding().self().value();
        JsonObject snapshot = snapshot(node.sharding().operations());
        assertEquals(
                1, snapshot.getJsonObject("overview").getJsonObject("types").size(), snapshot::encode);
        assertFalse(snapshot.getJsonObject("events").getJsonArray("events").isEmpty());
        assertEquals(
                0, snapshot.getJsonObject("failures").getJsonArray("letters").size());
        assertTrue(snapshot.getJsonObject("silences").containsKey("silences"));
        assertEquals(1, snapshot.getJsonObject("latency").getJsonObject("types").size());
        assertTrue(snapshot.getJsonObject("hot").containsKey("entities"));
        assertTrue(snapshot.getJsonObject("connections").getJsonObject("nodes").containsKey(self));
        assertTrue(snapshot.getJsonObject("process").containsKey("warnings"));
        assertFalse(snapshot.getJsonObject("process").getJsonArray("threads").isEmpty());
        assertEquals(node.sharding().options().toJson(), snapshot.getJsonObject("options"));
    }

    @Test
    @DisplayName("has the nodes while no coordinator answers, and in the place of a part that fails its failure")
    void saysWhatIsMissing() {
        String self = node.sharding().self().value();
        var silent = LastEventsTest.replaced(
                ClusterOperations.class,
                node.sharding().operations(),
                "overview",
                given -> Promise.<ClusterOverview>promise().future());
        var broken = LastEventsTest.replaced(
                ClusterOperations.class,
                silent,
                "silences",
                given -> Future.<SilenceReport>failedFuture(
                        new ShardingException(FailureCode.SHUTTING_DOWN, "it leaves")));
        var throwing = LastEventsTest.replaced(ClusterOperations.class, broken, "connections", given -> {
            throw new IllegalStateException("a defect");
        });
        JsonObject snapshot = snapshot(throwing);
        JsonObject overview = snapshot.getJsonObject("overview");
        assertEquals("no answer within 2 s", overview.getString("trouble"));
        assertTrue(overview.getJsonObject("nodes").getJsonObject(self).getBoolean("answers"), overview::encode);
        assertEquals("no answer within 2 s", snapshot.getJsonObject("failures").getString("trouble"));
        assertEquals(
                new JsonObject().put("error", "SHUTTING_DOWN").put("message", "it leaves"),
                snapshot.getJsonObject("silences"));
        assertEquals(
                new JsonObject().put("error", "INTERNAL").put("message", "a defect"),
                snapshot.getJsonObject("connections"));
        assertFalse(snapshot.getJsonObject("events").getJsonArray("events").isEmpty());
        assertEquals(1, snapshot.getJsonObject("latency").getJsonObject("types").size());
    }
}
