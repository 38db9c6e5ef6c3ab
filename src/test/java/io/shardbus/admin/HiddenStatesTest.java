package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.EntityReport;
import io.shardbus.model.FailureCode;
import io.shardbus.options.AdminOptions;
import io.shardbus.spi.Inspectable;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.client.WebClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node whose options do not show what its entities know, though the node that asks would show it. */
class HiddenStatesTest {
    private final LoneNode node = new LoneNode(TestCluster.options());
    private String type;

    private static final class Secret implements Entity<String>, Inspectable {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            throw new IllegalStateException("the card 4711 is not valid");
        }

        @Override
        public JsonObject inspect() {
            return new JsonObject().put("card", "4711");
        }
    }

    @BeforeEach
    void start() {
        EntityDefinition<String> definition = LoneNode.texts(id -> new Secret());
        type = definition.type().name();
        assertEquals(
                FailureCode.ENTITY_FAILED,
                LoneNode.failureCode(LoneNode.ask(node.start(definition).entityRef("e"), "hello")));
    }

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void itsHomeGivesNeitherStatesNorTheTextsOfFailures() {
        EntityReport.Instance instance = Await.result(
                        node.sharding().operations().entity(type, "e"))
                .orElseThrow()
                .instance();
        assertFalse(instance.inspectable());
        assertEquals(
                IllegalStateException.class.getName(), instance.lastFailure().kind());
        assertEquals("", instance.lastFailure().text());
        Future<JsonObject> refused = node.sharding().operations().inspect(type, "e");
        assertEquals(FailureCode.NOT_APPLICABLE, LoneNode.failureCode(refused));
        assertTrue(refused.cause().getMessage().contains("setStateInspection"), refused::toString);
    }

    @Test
    void adminResourcesThatWouldShowThemShowNothing() {
        var router = AdminRouter.create(node.vertx(), node.sharding(), new AdminOptions().setStateInspection(true));
        int port = Await.result(
                        node.vertx().createHttpServer().requestHandler(router).listen(0, "127.0.0.1"))
                .actualPort();
        var client = WebClient.create(node.vertx());
        String path = "/api/v1/types/" + type + "/entities/e";
        var shown = Await.result(client.get(port, "127.0.0.1", path).send()).bodyAsString();
        assertFalse(shown.contains("4711"), shown);
        assertTrue(shown.contains("IllegalStateException"), shown);
        var state = Await.result(client.get(port, "127.0.0.1", path + "/state").send());
        assertEquals(409, state.statusCode(), state::bodyAsString);
        assertFalse(state.bodyAsString().contains("4711"), state::bodyAsString);
    }
}
