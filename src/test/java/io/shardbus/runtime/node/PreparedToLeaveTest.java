package io.shardbus.runtime.node;

import static io.shardbus.integration.TestCluster.await;

import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A node's preparation to leave ends")
class PreparedToLeaveTest {
    private final LoneNode node = new LoneNode(TestCluster.options());

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    @DisplayName("when its Vertx closes meanwhile")
    void withItsVertx() {
        node.startOne(LoneNode.texts(id -> (message, context) -> Future.succeededFuture(message)));
        Future<Void> prepared = node.sharding().prepareToLeave(Duration.ofMinutes(10));
        await(node.vertx().close());
        await(prepared);
    }

    @Test
    @DisplayName("when the verticle that began it is undeployed meanwhile")
    void withoutItsVerticle() {
        node.startOne(LoneNode.texts(id -> (message, context) -> Future.succeededFuture(message)));
        Promise<Void> prepared = Promise.promise();
        String verticle = await(node.vertx().deployVerticle(new VerticleBase() {
            @Override
            public Future<?> start() {
                node.sharding().prepareToLeave(Duration.ofMillis(500)).onComplete(prepared);
                return Future.succeededFuture();
            }
        }));
        await(node.vertx().undeploy(verticle));
        await(prepared.future());
    }
}
