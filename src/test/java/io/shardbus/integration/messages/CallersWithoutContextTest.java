package io.shardbus.integration.messages;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingException;
import io.shardbus.integration.LoneNode;
import io.shardbus.model.FailureCode;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Callers on threads without a Vert.x context, whose handlers run beside the lane's work. */
@DisplayName("Asks of callers without a Vert.x context")
class CallersWithoutContextTest {
    private static final long LONG_S = 20;
    private static final Duration SOON = Duration.ofMillis(300);

    private final LoneNode node = new LoneNode(new ShardingOptions().setLanes(1));
    private final CountDownLatch never = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final List<Promise<String>> later = new CopyOnWriteArrayList<>();
    private volatile @Nullable Thread lane;
    private volatile @Nullable Context laneContext;

    private final class Echo implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            lane = Thread.currentThread();
            laneContext = Vertx.currentContext();
            if (message.equals("later")) {
                Promise<String> answer = Promise.promise();
                later.add(answer);
                return answer.future();
            }
            if (message.equals("block")) {
                awaitRelease();
            }
            return Future.succeededFuture(message);
        }
    }

    private void awaitRelease() {
        try {
            assertTrue(released.await(LONG_S, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Holds its thread up for so long that it is noticed. */
    private void holdUp() {
        try {
            never.await(500, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private ShardRegion<String> start() {
        ShardRegion<String> region =
                node.start(EntityDefinition.of(LoneNode.newType(), id -> (Entity<String>) new Echo())
                        .withNumberOfShards(1));
        assertEquals("there", await(LoneNode.ask(region.entityRef("e"), "there")));
        return region;
    }

    @AfterEach
    void close() {
        released.countDown();
        node.close();
    }

    /** Asks, and gives the thread on which the handler runs. */
    private static Future<Thread> threadOf(Future<String> ask) {
        Promise<Thread> thread = Promise.promise();
        ask.onComplete(answer -> thread.complete(Thread.currentThread()));
        return thread.future();
    }

    /** Ends all asks that were for later, from the lane. */
    private void answerAll() {
        Context there = laneContext;
        assertNotNull(there);
        there.runOnContext(ignored -> later.forEach(promise -> promise.tryComplete("done")));
    }

    /** What becomes of an ask whose handler is there before its answer. */
    private Future<String> handled(ShardRegion<String> region, Function<String, String> handler) {
        int before = later.size();
        Future<String> handled =
                LoneNode.ask(region.entityRef("h" + before), "later").map(handler);
        Promise<String> behind = Promise.promise();
        node.vertx()
                .runOnContext(ignored ->
                        LoneNode.ask(region.entityRef("e"), "behind it").onComplete(behind));
        assertEquals("behind it", await(behind.future()));
        assertEquals(before + 1, later.size());
        answerAll();
        return handled;
    }

    /** Asks that end in one burst, of which the first handler holds its thread up. */
    private List<Integer> orderOf(int asks, ShardRegion<String> region, boolean blocks) throws InterruptedException {
        List<Integer> order = new CopyOnWriteArrayList<>();
        CountDownLatch all = new CountDownLatch(asks);
        for (int i = 0; i < asks; i++) {
            int number = i;
            LoneNode.ask(region.entityRef("o" + i), "later").onComplete(answer -> {
                if (blocks && number == 0) {
                    holdUp();
                }
                order.add(number);
                all.countDown();
            });
        }
        assertEquals("behind them", await(LoneNode.ask(region.entityRef("e"), "behind them")));
        answerAll();
        assertTrue(all.await(LONG_S, TimeUnit.SECONDS), order::toString);
        return new ArrayList<>(order);
    }

    @Test
    void handlersRunOnTheLanesEventLoopInAContextOfTheirOwn() {
        EntityRef<String> entity = start().entityRef("e");
        Promise<@Nullable Context> context = Promise.promise();
        Future<String> ask = LoneNode.ask(entity, "later");
        ask.onComplete(answer -> context.complete(Vertx.currentContext()));
        Future<Thread> thread = threadOf(ask);
        assertEquals("next", await(LoneNode.ask(node.sharding().entityRef(entity.type(), "f"), "next")));
        later.get(0).complete("done");
        assertSame(lane, await(thread));
        assertNotNull(await(context.future()));
        assertNotSame(laneContext, await(context.future()));
    }

    @Test
    void handlersAreCalledInTheOrderInWhichTheirAsksEnded() throws InterruptedException {
        assertEquals(IntStream.range(0, 100).boxed().toList(), orderOf(100, start(), false));
    }

    @Test
    void theyKeepTheirOrderBehindOneThatHoldsTheLoopUp() throws InterruptedException {
        assertEquals(IntStream.range(0, 100).boxed().toList(), orderOf(100, start(), true));
    }

    @Test
    void afterAHandlerThatHoldsTheLoopUpOthersBlockNoLane() {
        ShardRegion<String> region = start();
        Promise<Thread> slow = Promise.promise();
        Future<String> held = handled(region, answer -> {
            slow.complete(Thread.currentThread());
            holdUp();
            return answer;
        });
        assertEquals("done", await(held));
        assertSame(lane, await(slow.future()));
        Promise<Thread> blocks = Promise.promise();
        Future<String> blocked = handled(region, answer -> {
            blocks.complete(Thread.currentThread());
            awaitRelease();
            return answer;
        });
        assertNotSame(lane, await(blocks.future()));
        // a caller with a context of its own, as no handler of others is called behind the one that blocks
        Promise<String> answered = Promise.promise();
        node.vertx()
                .runOnContext(ignored ->
                        LoneNode.ask(region.entityRef("e"), "goes on").onComplete(answered));
        assertEquals("goes on", await(answered.future()));
        released.countDown();
        assertEquals("done", await(blocked));
    }

    @Test
    void aHandlerThatWaitsForAnAskToItsOwnLaneWaitsNoLongerThanThatAsk() {
        ShardRegion<String> region = start();
        Future<String> first = handled(region, answer -> {
            Future<String> second = region.entityRef("f").request("second", String.class, SOON);
            return join(second);
        });
        assertEquals(FailureCode.TIMED_OUT.name(), await(first));
        // the handlers run on a worker thread now, which may wait
        Future<String> third = handled(region, answer -> join(LoneNode.ask(region.entityRef("f"), "fourth")));
        assertEquals("fourth", await(third));
    }

    @Test
    void aHandlerThatWaitsForAnAskToAnotherLaneIsAnswered() {
        ShardRegion<String> region = start();
        ShardRegion<String> other = start();
        assertEquals("second", await(handled(region, answer -> join(LoneNode.ask(other.entityRef("e"), "second")))));
    }

    @Test
    void whatAHandlerAsksOfAnotherLaneIsGivenOutThere() {
        ShardRegion<String> region = start();
        Thread first = lane;
        ShardRegion<String> other = start();
        assertNotSame(first, lane, "two lanes have two event loops");
        Future<String> ask = LoneNode.ask(region.entityRef("e"), "later");
        Promise<Void> asked = Promise.promise();
        Future<Thread> second = ask.compose(answer -> {
            Future<Thread> thread = threadOf(LoneNode.ask(other.entityRef("e"), "later"));
            asked.complete();
            return thread;
        });
        assertEquals("next", await(LoneNode.ask(region.entityRef("f"), "next")));
        later.get(0).complete("done");
        await(asked.future());
        assertEquals("next", await(LoneNode.ask(other.entityRef("f"), "next")));
        later.get(1).complete("done");
        Thread given = await(second);
        assertSame(lane, given, "no other event loop is woken");
        assertNotSame(first, given);
    }

    /** As programs do that wait for a future on the thread of a handler. */
    private static String join(Future<String> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get();
        } catch (ExecutionException e) {
            return e.getCause() instanceof ShardingException refused
                    ? refused.code().name()
                    : "" + e.getCause();
        } catch (InterruptedException e) {
            return "" + e;
        }
    }

    @Test
    void whatAHandlerOnAWorkerThreadAsksIsNotBehindIt() {
        ShardRegion<String> region = start();
        CountDownLatch handlerEnds = new CountDownLatch(1);
        Promise<Thread> away = Promise.promise();
        Promise<Thread> ofHandler = Promise.promise();
        Future<String> first = LoneNode.ask(region.entityRef("e"), "later").map(answer -> {
            LoneNode.ask(region.entityRef("h"), "asked by it")
                    .onComplete(asked -> ofHandler.complete(Thread.currentThread()));
            away.complete(Thread.currentThread());
            try {
                assertTrue(handlerEnds.await(LONG_S, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return answer;
        });
        assertEquals("there too", await(LoneNode.ask(region.entityRef("f"), "there too")));
        blockTheLaneBehindAnAnswer(region);
        assertNotSame(lane, await(away.future()));
        released.countDown();
        assertSame(lane, await(ofHandler.future()), "what the handler asks does not wait for it");
        Future<Boolean> behind =
                LoneNode.ask(region.entityRef("f"), "behind it").map(answer -> first.isComplete());
        handlerEnds.countDown();
        assertTrue(await(behind), "handlers keep their order");
    }

    private void blockTheLaneBehindAnAnswer(ShardRegion<String> region) {
        Context there = laneContext;
        assertNotNull(there);
        there.runOnContext(ignored -> {
            // both are in one burst
            later.get(0).complete("done");
            region.entityRef("g").tell("block");
        });
    }

    @Test
    @DisplayName("end by their deadlines while a worker thread is with a handler that blocks")
    void asksEndByTheirDeadlinesBehindAHandlerThatBlocksAWorkerThread() {
        ShardRegion<String> region = start();
        assertEquals("done", await(handled(region, answer -> {
            holdUp();
            return answer;
        })));
        Promise<Thread> blocks = Promise.promise();
        Future<String> blocked = handled(region, answer -> {
            blocks.complete(Thread.currentThread());
            awaitRelease();
            return answer;
        });
        assertNotSame(lane, await(blocks.future()));
        Future<String> unanswered = region.entityRef("f").request("later", String.class, SOON);
        assertEquals(FailureCode.TIMED_OUT.name(), await(unanswered.recover(CallersWithoutContextTest::code)));
        Future<String> answered = region.entityRef("g").request("at once", String.class, SOON);
        assertEquals("at once", await(answered));
        assertFalse(blocked.isComplete());
        answerAll();
        released.countDown();
        assertEquals("done", await(blocked));
    }

    @Test
    @DisplayName("leave worker threads to others when many end by their deadlines and their handlers block")
    void lateHandlersThatBlockLeaveWorkerThreadsToOthers() throws InterruptedException {
        ShardRegion<String> region = start();
        assertEquals("done", await(handled(region, answer -> {
            holdUp();
            return answer;
        })));
        Promise<Thread> blocks = Promise.promise();
        Future<String> blocked = handled(region, answer -> {
            blocks.complete(Thread.currentThread());
            awaitRelease();
            return answer;
        });
        await(blocks.future());
        CountDownLatch few = new CountDownLatch(4);
        CountDownLatch many = new CountDownLatch(5);
        List<Future<String>> late = IntStream.range(0, 40)
                .mapToObj(i -> region.entityRef("l" + i)
                        .request("at once", String.class, SOON)
                        .onComplete(answer -> {
                            few.countDown();
                            many.countDown();
                            awaitRelease();
                        }))
                .toList();
        assertTrue(few.await(LONG_S, TimeUnit.SECONDS));
        assertFalse(many.await(1, TimeUnit.SECONDS), "one more than run at once");
        assertEquals("free", await(node.vertx().executeBlocking(() -> "free", false)));
        released.countDown();
        late.forEach(ask -> assertEquals("at once", await(ask)));
        assertEquals("done", await(blocked));
    }

    @Test
    @DisplayName("end by their deadlines while the lane's event loop is with a handler that blocks")
    void asksEndByTheirDeadlinesBehindAHandlerThatBlocksTheLoop() {
        ShardRegion<String> region = start();
        Future<String> blocked = LoneNode.ask(region.entityRef("e"), "later").map(answer -> {
            awaitRelease();
            return answer;
        });
        Future<String> behind = region.entityRef("f").request("later", String.class, Duration.ofSeconds(2));
        assertEquals("behind them", await(LoneNode.ask(region.entityRef("g"), "behind them")));
        answerAll();
        assertEquals("done", await(behind), "its answer has come in time");
        assertFalse(blocked.isComplete());
        released.countDown();
        assertEquals("done", await(blocked));
    }

    private static Future<String> code(Throwable failure) {
        return failure instanceof ShardingException refused
                ? Future.succeededFuture(refused.code().name())
                : Future.failedFuture(failure);
    }

    @Test
    void whatHasEndedIsGivenOutWhileTheLaneIsBlocked() {
        ShardRegion<String> region = start();
        Future<Thread> answered = threadOf(LoneNode.ask(region.entityRef("e"), "later"));
        assertEquals("there too", await(LoneNode.ask(region.entityRef("f"), "there too")));
        blockTheLaneBehindAnAnswer(region);
        assertNotSame(lane, await(answered));
    }
}
