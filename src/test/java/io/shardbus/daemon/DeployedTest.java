package io.shardbus.daemon;

import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.spi.Discardable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A verticle behind an entity does not outlive it, be it at work or in its start when the end comes. */
class DeployedTest {
    private final Vertx vertx = Vertx.vertx();
    private final Promise<Void> start = Promise.promise();
    private final Deployed<VerticleBase> deployed = new Deployed<>(vertx);

    @AfterEach
    void close() {
        Await.result(vertx.close());
    }

    private VerticleBase slow() {
        return new VerticleBase() {
            @Override
            public Future<?> start() {
                return start.future();
            }
        };
    }

    @Test
    void whatIsStillStartingAtTheEndIsUndeployed() {
        Future<Void> running = deployed.run(this::slow);
        Future<Void> ended = deployed.end();
        assertFalse(ended.isComplete());
        start.complete();
        Await.result(running);
        Await.result(ended);
        assertEquals(Set.of(), vertx.deploymentIDs());
    }

    @Test
    void nothingIsDeployedAfterTheEnd() {
        Await.result(deployed.end());
        assertTrue(deployed.run(this::slow).failed());
        assertEquals(Set.of(), vertx.deploymentIDs());
    }

    @Test
    void twoWishesToRunDeployOne() {
        Future<Void> first = deployed.run(this::slow);
        Future<Void> second = deployed.run(this::slow);
        start.complete();
        Await.result(Future.all(first, second));
        assertEquals(1, vertx.deploymentIDs().size());
    }

    @Test
    void theEndWaitsForAVerticleThatIsUndeployingItself() {
        Promise<Void> stopping = Promise.promise();
        Promise<Void> stop = Promise.promise();
        Await.result(deployed.run(() -> new VerticleBase() {
            @Override
            public Future<?> stop() {
                stopping.complete();
                return stop.future();
            }
        }));
        Future<Void> byItself = vertx.undeploy(only());
        Await.result(stopping.future());
        Future<Boolean> hasEnded = deployed.end().map(done -> stop.future().isComplete());
        // an end that does not wait is over with the next turn of each event loop
        Await.result(vertx.undeploy(Await.result(vertx.deployVerticle(new VerticleBase() {}))));
        stop.complete();
        assertTrue(Await.result(hasEnded), "the verticle has stopped");
        Await.result(byItself);
    }

    @Test
    void aVerticleEndsThoughOneThatItHasDeployedFailsToStop() {
        Promise<Void> stopped = Promise.promise();
        Await.result(deployed.run(() -> new VerticleBase() {
            @Override
            public Future<?> start() {
                return vertx.deployVerticle(new VerticleBase() {
                    @Override
                    public Future<?> stop() {
                        return Future.failedFuture("no");
                    }
                });
            }

            @Override
            public Future<?> stop() {
                stopped.complete();
                return Future.succeededFuture();
            }
        }));
        Await.result(deployed.end());
        Await.result(stopped.future());
        assertEquals(Set.of(), vertx.deploymentIDs());
    }

    private String only() {
        return vertx.deploymentIDs().iterator().next();
    }

    /** Never answers its message, so that it is stopped by force, without stopping. */
    private static final class Stubborn implements Entity<String>, Discardable {
        private final Runnable discarded;

        Stubborn(Runnable discarded) {
            this.discarded = discarded;
        }

        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            return Promise.promise().future();
        }

        @Override
        public void discarded() {
            discarded.run();
        }
    }

    @Test
    void anEntityThatIsStoppedByForceLearnsIt() {
        Promise<Void> told = Promise.promise();
        try (LoneNode node = new LoneNode(TestCluster.options().setShutdownTimeoutMs(2_000))) {
            EntityType<String> type = LoneNode.newType();
            EntityDefinition<String> definition = EntityDefinition.of(type, id -> new Stubborn(told::tryComplete))
                    .withStopTimeout(Duration.ofMillis(50));
            var region = node.start(definition);
            region.entityRef("a").tell("a message");
            until("it is at its message", () -> live(node, type));
            Await.result(region.leave());
            Await.result(told.future());
        }
    }

    private static boolean live(LoneNode node, EntityType<String> type) {
        return Await.result(node.sharding().locate(type.name(), "a"))
                .filter(found -> found.live())
                .isPresent();
    }
}
