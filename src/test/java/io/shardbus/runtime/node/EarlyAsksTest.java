package io.shardbus.runtime.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.ExecutionModel;
import io.shardbus.ShardRegion;
import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Asks to a region that starts, and cannot yet as code of the region before it still runs. */
class EarlyAsksTest {
    private static final Duration SOON = Duration.ofMillis(200);

    private final LoneNode node =
            new LoneNode(TestCluster.options().setShutdownTimeoutMs(1000).setStopTimeoutMs(100));
    private final CountDownLatch gate = new CountDownLatch(1);
    private final Promise<Void> busy = Promise.promise();

    /** Its code takes its thread until the gate opens. */
    private final class Blocking implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            busy.tryComplete();
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return reply(message);
        }
    }

    @Test
    void theyFailAtTheirDeadlinesAlsoWhenTheVerticleThatBeganTheStartIsGone() {
        EntityDefinition<String> definition =
                LoneNode.texts(id -> (Entity<String>) new Blocking()).withExecution(ExecutionModel.WORKER);
        try (node) {
            ShardRegion<String> first = node.start(definition);
            Future<String> blocked = first.entityRef("a").request("wait", String.class, Duration.ofSeconds(20));
            Await.result(busy.future());
            Await.result(first.leave());
            Promise<Future<ShardRegion<String>>> next = Promise.promise();
            String starter = Await.result(node.vertx().deployVerticle(new AbstractVerticle() {
                @Override
                public void start() {
                    next.complete(node.sharding().start(definition));
                }
            }));
            Await.result(node.vertx().undeploy(starter));
            Future<String> early = first.entityRef("b").request("early", String.class, SOON);
            assertEquals(FailureCode.TIMED_OUT, LoneNode.failureCode(early));
            assertFalse(Await.result(next.future()).isComplete(), "the code before still runs");
            gate.countDown();
            Await.until(() -> "the code before does not end", blocked::isComplete);
        } finally {
            gate.countDown();
        }
    }
}
