package io.shardbus.integration.operations;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.admin.AdminRouter;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.CounterMessage.Where;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.NodeId;
import io.shardbus.options.AdminOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.client.WebClient;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Three nodes give the same answer to a request, whichever of them coordinates. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("slow")
class SameAnswersIT {
    private static final int SHARDS = 12;
    private static final String TYPE = CounterMessage.COUNTER.name();

    private static final EntityType<String> OTHER = EntityType.of("other", String.class);

    private static final TestCluster CLUSTER = new TestCluster();
    private static final Map<NodeId, Integer> PORTS = new LinkedHashMap<>();
    private static Vertx vertx;
    private static WebClient client;

    private static final class Other implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            return reply(message);
        }
    }

    private record Answer(int status, String body) {}

    @BeforeAll
    static void start() {
        CLUSTER.start(3, TestCluster.options())
                .startType(Counter.definition().withNumberOfShards(SHARDS))
                .startType(EntityDefinition.of(OTHER, id -> new Other()));
        await(CLUSTER.node(0).counter("a").ask(new Where()));
        for (var node : CLUSTER.nodes()) {
            var router = Router.router(node.vertx());
            router.route("/*")
                    .subRouter(
                            AdminRouter.create(node.vertx(), node.sharding(), new AdminOptions().setReadOnly(false)));
            PORTS.put(
                    node.id(),
                    await(node.vertx().createHttpServer().requestHandler(router).listen(0, "127.0.0.1"))
                            .actualPort());
        }
        vertx = Vertx.vertx();
        client = WebClient.create(vertx);
    }

    @AfterAll
    static void stop() {
        CLUSTER.close();
        await(vertx.close());
    }

    private static Answer send(NodeId node, String method, String path, String body) {
        var response = await(client.request(
                        HttpMethod.valueOf(method),
                        Objects.requireNonNull(PORTS.get(node)),
                        "127.0.0.1",
                        "/api/v1/" + path)
                .putHeader("X-Shardbus-Request", "1")
                .sendBuffer(Buffer.buffer(body)));
        return new Answer(response.statusCode(), response.bodyAsString());
    }

    @Order(1)
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        GET    | types/nix                                  | {} | NOT_FOUND
        GET    | types/nix/shards/3                         | {} | NOT_FOUND
        GET    | types/nix/entities                         | {} | UNKNOWN_TYPE
        GET    | types/nix/plan?action=rebalance            | {} | UNKNOWN_TYPE
        GET    | types/nix/shards/3/why                     | {} | UNKNOWN_TYPE
        POST   | types/nix/shards/3/move                    | {} | UNKNOWN_TYPE
        DELETE | types/nix/shards/3/pin                     | {} | UNKNOWN_TYPE
        POST   | types/nix/rebalance                        | {} | NOT_FOUND
        PUT    | types/nix/rebalancing                      | {"enabled":false} | UNKNOWN_TYPE
        DELETE | types/nix/desired-homes                    | {} | UNKNOWN_TYPE
        DELETE | types/nix/shards/3/desired-home            | {} | UNKNOWN_TYPE
        PUT    | types/nix/desired-homes                    | {"homes":{"1":"nix"}} | UNKNOWN_TYPE
        PUT    | types/nix/shards/3/desired-home            | {"node":"nix"} | UNKNOWN_TYPE
        GET    | types/counter/shards/12                    | {} | NOT_FOUND
        GET    | types/counter/shards/12/why                | {} | UNKNOWN_SHARD
        POST   | types/counter/shards/12/move               | {} | UNKNOWN_SHARD
        DELETE | types/counter/shards/12/pin                | {} | UNKNOWN_SHARD
        GET    | types/counter/plan?action=drain&node=nix   | {} | UNKNOWN_NODE
        POST   | types/counter/shards/3/move                | {"to":"nix"} | UNKNOWN_NODE
        PUT    | types/counter/shards/3/pin                 | {"node":"nix"} | UNKNOWN_NODE
        PUT    | nodes/nix/cordon                           | {} | UNKNOWN_NODE
        DELETE | nodes/nix/cordon                           | {} | UNKNOWN_NODE
        POST   | nodes/nix/drain                            | {} | UNKNOWN_NODE
        DELETE | nodes/nix/drain                            | {} | UNKNOWN_NODE
        """)
    void whatIsNotThereIs404AtEachNode(String method, String path, String body, String code) {
        Answer first = send(CLUSTER.coordinator(), method, path, body);
        assertEquals(404, first.status(), first::body);
        assertEquals(code, new JsonObject(first.body()).getString("error"), first::body);
        PORTS.keySet().forEach(node -> assertEquals(first, send(node, method, path, body)));
    }

    @Order(2)
    @Test
    void whatDoesNotApplyIs409AtEachNode() {
        Answer first = send(CLUSTER.coordinator(), "DELETE", "types/" + TYPE + "/shards/3/pin", "{}");
        assertEquals(409, first.status(), first::body);
        PORTS.keySet()
                .forEach(node -> assertEquals(first, send(node, "DELETE", "types/" + TYPE + "/shards/3/pin", "{}")));
    }

    private static JsonObject rebalancing(NodeId node) {
        var types = new JsonObject(send(node, "GET", "overview", "").body()).getJsonObject("types");
        var found = new JsonObject();
        types.fieldNames().stream()
                .sorted()
                .forEach(type -> found.put(type, types.getJsonObject(type).getBoolean("rebalancing")));
        return found;
    }

    private static JsonObject rebalancing(boolean counter, boolean other) {
        return new JsonObject().put(TYPE, counter).put(OTHER.name(), other);
    }

    @Order(3)
    @Test
    void rebalancingOfATypeStopsAndGoesOnWithoutThatOfOthers() {
        var asked = CLUSTER.node(2).id();
        var off = "{\"enabled\":false}";
        var on = "{\"enabled\":true}";
        send(asked, "PUT", "types/" + TYPE + "/rebalancing", off);
        PORTS.keySet().forEach(node -> assertEquals(rebalancing(false, true), rebalancing(node)));
        send(asked, "PUT", "rebalancing", off);
        PORTS.keySet().forEach(node -> assertEquals(rebalancing(false, false), rebalancing(node)));
        send(asked, "PUT", "types/" + TYPE + "/rebalancing", on);
        PORTS.keySet().forEach(node -> assertEquals(rebalancing(true, false), rebalancing(node)));
        send(asked, "PUT", "rebalancing", on);
        PORTS.keySet().forEach(node -> assertEquals(rebalancing(true, true), rebalancing(node)));
    }

    @Order(4)
    @Test
    void anOrderAboutANodeThatIsGoneIsTakenBackOnce() {
        var lost = CLUSTER.node(2);
        var asked = CLUSTER.node(1).id();
        assertEquals(
                200, send(asked, "PUT", "nodes/" + lost.id() + "/cordon", "{}").status());
        assertEquals(
                200, send(asked, "POST", "nodes/" + lost.id() + "/drain", "{}").status());
        CLUSTER.kill(lost);
        PORTS.remove(lost.id());
        CLUSTER.untilMembers(2);
        assertEquals(
                404, send(asked, "PUT", "nodes/" + lost.id() + "/cordon", "{}").status(), "it is no member");
        Answer undrained = send(asked, "DELETE", "nodes/" + lost.id() + "/drain", "{}");
        assertEquals(200, undrained.status(), undrained::body);
        Answer back = send(asked, "DELETE", "nodes/" + lost.id() + "/cordon", "{}");
        assertEquals(200, back.status(), back::body);
        Answer again = send(asked, "DELETE", "nodes/" + lost.id() + "/cordon", "{}");
        assertEquals(404, again.status(), again::body);
        assertTrue(again.body().contains("UNKNOWN_NODE"), again::body);
    }
}
