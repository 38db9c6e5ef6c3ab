package io.shardbus.integration.start;

import static io.shardbus.integration.LoneNode.ask;
import static io.shardbus.integration.LoneNode.failureCode;
import static io.shardbus.integration.LoneNode.texts;
import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.ShardRegion;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ReadyTest {
    private static EntityDefinition<String> echo() {
        return texts(id -> (message, context) -> Future.succeededFuture(message));
    }

    @Test
    void aRegionIsReadyWhenItsNodeSaysSo() {
        try (LoneNode node = new LoneNode(TestCluster.options())) {
            ShardRegion<String> region = node.start(echo());
            await(region.ready());
            assertTrue(node.sharding().isReady());
            assertTrue(region.ready().isComplete(), "at once");
            assertEquals("x", await(ask(region.entityRef("one"), "x")));
        }
    }

    @Test
    @DisplayName("QUERY-02 a node without a type that it requires is not ready, and names the type until it is started")
    void namesRequiredTypesThatWereNotStarted() {
        EntityDefinition<String> required = echo();
        String type = required.type().name();
        try (LoneNode node = new LoneNode(TestCluster.options().setRequiredTypes(List.of(type)))) {
            await(node.start(echo()).ready());
            String reason = String.join(",", node.sharding().notReadyReasons());
            assertTrue(reason.contains("'" + type + "' is not started on this node"), reason);
            assertFalse(node.sharding().isReady());
            await(node.start(required).ready());
            assertEquals(List.of(), node.sharding().notReadyReasons());
            assertTrue(node.sharding().isReady());
        }
    }

    @Test
    void completesOnTheCallersContext() {
        try (LoneNode node = new LoneNode(TestCluster.options())) {
            Context context = node.vertx().getOrCreateContext();
            Promise<Context> completedOn = Promise.promise();
            ShardRegion<String> region = node.start(echo());
            context.runOnContext(go -> region.ready().onComplete(done -> completedOn.complete(Vertx.currentContext())));
            assertSame(context, await(completedOn.future()));
        }
    }

    @Test
    void failsWhenTheRegionLeavesBefore() {
        LoneNode node = new LoneNode(TestCluster.options().setCoordinator(false));
        EntityDefinition<String> definition = echo();
        node.sharding().start(definition);
        ShardRegion<?> region = node.sharding().region(definition.type().name()).orElseThrow();
        Future<Void> ready = region.ready();
        assertFalse(ready.isComplete());
        node.close();
        assertEquals(FailureCode.SHUTTING_DOWN, failureCode(ready));
        assertEquals(FailureCode.SHUTTING_DOWN, failureCode(region.ready()));
    }
}
