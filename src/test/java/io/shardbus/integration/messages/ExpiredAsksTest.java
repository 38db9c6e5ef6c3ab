package io.shardbus.integration.messages;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityRef;
import io.shardbus.integration.LoneNode;
import io.shardbus.model.FailureCode;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Asks that are late while their lane is blocked, and all worker threads are busy. */
class ExpiredAsksTest {
    private static final long LONG_S = 20;
    private static final Duration SOON = Duration.ofMillis(100);
    private static final int ASKS = 10;

    private final LoneNode node = new LoneNode(new ShardingOptions().setLanes(1));
    private final CountDownLatch released = new CountDownLatch(1);

    private void awaitRelease() {
        try {
            assertTrue(released.await(LONG_S, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() {
        released.countDown();
        node.close();
    }

    /** Asks with a deadline on a context, whose failures need no worker thread. */
    private Future<String> askOnAContext(EntityRef<String> entity) {
        Promise<String> answer = Promise.promise();
        node.vertx()
                .runOnContext(
                        ignored -> entity.request("late", String.class, SOON).onComplete(answer));
        return answer.future();
    }

    @Test
    void eachIsFailedOnceHoweverLongItWaitsForItsThread() throws InterruptedException {
        CountDownLatch blocked = new CountDownLatch(1);
        EntityRef<String> entity = node.startOne(LoneNode.texts(id -> (Entity<String>) (message, context) -> {
            if (message.equals("block")) {
                blocked.countDown();
                awaitRelease();
            }
            return Future.succeededFuture(message);
        }));
        int threads = VertxOptions.DEFAULT_WORKER_POOL_SIZE;
        CountDownLatch busy = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            node.vertx()
                    .executeBlocking(
                            () -> {
                                busy.countDown();
                                awaitRelease();
                                return null;
                            },
                            false);
        }
        assertTrue(busy.await(LONG_S, TimeUnit.SECONDS));
        entity.tell("block");
        assertTrue(blocked.await(LONG_S, TimeUnit.SECONDS));
        var pool = assertInstanceOf(
                ThreadPoolExecutor.class,
                ((VertxInternal) node.vertx()).workerPool().executor());
        int before = pool.getQueue().size();
        var late = IntStream.range(0, ASKS)
                .mapToObj(i -> entity.request("late", String.class, SOON))
                .toList();
        // each of these fails in a later look at the blocked lane than the one before
        for (int looks = 0; looks < 5; looks++) {
            assertEquals(FailureCode.TIMED_OUT, LoneNode.failureCode(askOnAContext(entity)));
        }
        assertEquals(before + 4, pool.getQueue().size(), "a few at once");
        released.countDown();
        late.forEach(ask -> assertEquals(FailureCode.TIMED_OUT, LoneNode.failureCode(ask)));
        assertEquals("next", await(LoneNode.ask(entity, "next")));
    }
}
