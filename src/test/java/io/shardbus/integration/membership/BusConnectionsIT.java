package io.shardbus.integration.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.shardbus.integration.BareCluster;
import io.shardbus.membership.ShardbusClusterManager;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Connections of the event bus")
class BusConnectionsIT {
    private final BareCluster cluster = new BareCluster(2);
    private final CountDownLatch blocked = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private Vertx here;
    private Vertx there;

    @BeforeEach
    void start() {
        here = startVertx();
        there = startVertx();
        Await.result(echo(there, "there"));
    }

    /** Contexts get event loops in turn: with this number, each of this test's has one for itself. */
    private Vertx startVertx() {
        return Await.result(Vertx.builder()
                .with(new VertxOptions().setEventLoopPoolSize(64))
                .withClusterManager(ShardbusClusterManager.create(cluster.options()))
                .buildClustered());
    }

    @AfterEach
    void stop() {
        released.countDown();
        Await.result(here.close());
        Await.result(there.close());
        cluster.close();
    }

    @Test
    @DisplayName("do not wait for the context that sent first to a node, when its code blocks")
    void outliveBlockedSender() throws InterruptedException {
        Context first = ((VertxInternal) here).createEventLoopContext();
        Future<Void> listens = Future.future(
                done -> first.runOnContext(go -> echo(here, "here").onComplete(done)));
        Await.result(listens);
        assertEquals("answered first", Await.result(ask(there, "here", "answered first")));

        first.runOnContext(go -> block());
        assertTrue(blocked.await(30, TimeUnit.SECONDS), "the first sender's event loop is blocked");
        assertEquals("asked then", Await.result(ask(here, "there", "asked then")));
    }

    private static Future<Void> echo(Vertx vertx, String address) {
        return vertx.eventBus()
                .<String>consumer(address, message -> message.reply(message.body()))
                .completion();
    }

    private static Future<String> ask(Vertx vertx, String address, String text) {
        return vertx.eventBus()
                .<String>request(address, text, new DeliveryOptions().setSendTimeout(10_000))
                .map(Message::body);
    }

    private void block() {
        blocked.countDown();
        try {
            assertTrue(released.await(60, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
