package io.shardbus.runtime.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.ClusterSharding;
import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.integration.Await;
import io.shardbus.integration.LogLines;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A node whose Vertx closes while it starts, as after a signal. */
class ClosedWhileStartingTest {
    private static final EntityType<String> ECHO = EntityType.of("echo", String.class);

    private static final class Echo implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            return reply(message);
        }
    }

    @Test
    void itsTypeFailsAndNoErrorIsLogged() {
        try (var log = new LogLines(NodeAssembly.class.getName())) {
            var vertx = Vertx.vertx();
            var sharding = ClusterSharding.create(vertx, new ShardingOptions());
            var closed = vertx.close();
            var started = sharding.start(EntityDefinition.of(ECHO, id -> new Echo()));
            Await.until(() -> "the start goes on", started::failed);
            Await.result(closed);
            assertEquals(List.of(), log.with("ERROR"));
        }
    }

    @Test
    void itsVertxMayHaveUndeployedItsControlPlaneBefore() {
        try (var log = new LogLines(NodeAssembly.class.getName())) {
            var vertx = Vertx.vertx();
            ClusterSharding.create(vertx, new ShardingOptions());
            Await.until(
                    () -> "the control plane is not deployed",
                    () -> vertx.deploymentIDs().size() == 1);
            Await.result(vertx.undeploy(vertx.deploymentIDs().iterator().next()));
            Await.result(vertx.close());
            assertEquals(List.of(), log.with("WARN"));
        }
    }
}
