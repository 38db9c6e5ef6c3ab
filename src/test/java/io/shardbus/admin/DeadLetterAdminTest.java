package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.client.WebClient;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Dead letters, over HTTP,")
class DeadLetterAdminTest {
    private static final EntityType<String> TYPE = EntityType.of("picky", String.class);

    private static final class Picky implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            throw new IllegalArgumentException("not this");
        }
    }

    @Test
    @DisplayName("name entity, class of the message and code, and not the message")
    void nameEntityAndCode() {
        try (var node = new LoneNode(TestCluster.options())) {
            Await.result(node.sharding().start(EntityDefinition.of(TYPE, id -> new Picky())));
            int port = Await.result(node.vertx()
                            .createHttpServer()
                            .requestHandler(AdminRouter.create(node.vertx(), node.sharding()))
                            .listen(0, "127.0.0.1"))
                    .actualPort();
            WebClient client = WebClient.create(node.vertx());
            node.sharding().entityRef(TYPE, "p1").tell("hidden text");
            JsonObject[] answer = new JsonObject[1];
            Await.until(() -> "no dead letter: " + answer[0], () -> {
                answer[0] = Await.result(client.get(port, "127.0.0.1", "/api/v1/dead-letters")
                                .send())
                        .bodyAsJsonObject();
                return answer[0].getJsonArray("letters").size() == 1;
            });
            assertEquals(0, answer[0].getJsonArray("failed").size());
            JsonObject letter = answer[0].getJsonArray("letters").getJsonObject(0);
            assertEquals("p1", letter.getString("id"));
            assertEquals("picky", letter.getString("type"));
            assertEquals("String", letter.getString("message"));
            assertEquals("ENTITY_FAILED", letter.getString("code"));
            assertTrue(letter.getString("reason").contains("not this"), letter::encode);
            assertTrue(!answer[0].encode().contains("hidden"), answer[0]::encode);
        }
    }
}
