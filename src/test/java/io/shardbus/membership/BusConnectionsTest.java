package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The address of a peer, for which the event bus asks,")
class BusConnectionsTest {
    private final Vertx vertx = Vertx.vertx();
    private final Context caller = ((VertxInternal) vertx).createEventLoopContext();

    @AfterEach
    void end() {
        Await.result(vertx.close());
    }

    @Test
    @DisplayName("comes on another event loop, after the task that asked")
    void afterTheTask() {
        var connections = new BusConnections((VertxInternal) vertx, 60_000);
        Promise<Context> answered = Promise.promise();
        Promise<Boolean> before = Promise.promise();
        caller.runOnContext(go -> {
            var isAnswered = new CountDownLatch(1);
            connections.answer(caller, () -> {
                isAnswered.countDown();
                answered.complete(Vertx.currentContext());
            });
            // other work of that event loop, which would come behind an answer that did not wait
            var other = new CountDownLatch(1);
            connections.answer(null, other::countDown);
            before.complete(awaits(other) && isAnswered.getCount() == 1);
        });
        assertTrue(Await.result(before.future()), "not while the task runs");
        assertNotEquals(caller, Await.result(answered.future()));
    }

    @Test
    @DisplayName("comes also while the code that asked blocks its event loop, and once")
    void blocked() {
        var connections = new BusConnections((VertxInternal) vertx);
        var answers = new AtomicInteger();
        var answered = new CountDownLatch(1);
        Promise<Boolean> cameWhileBlocked = Promise.promise();
        caller.runOnContext(go -> {
            connections.answer(caller, () -> {
                answers.incrementAndGet();
                answered.countDown();
            });
            cameWhileBlocked.complete(awaits(answered));
        });
        assertTrue(Await.result(cameWhileBlocked.future()));
        Promise<Void> later = Promise.promise();
        caller.runOnContext(ended -> connections.answer(null, later::complete));
        Await.result(later.future());
        assertEquals(1, answers.get());
    }

    private static boolean awaits(CountDownLatch latch) {
        try {
            return latch.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
