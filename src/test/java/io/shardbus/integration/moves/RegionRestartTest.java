package io.shardbus.integration.moves;

import static io.shardbus.integration.LoneNode.ask;
import static io.shardbus.integration.LoneNode.failureCode;
import static io.shardbus.integration.LoneNode.texts;
import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.ExecutionModel;
import io.shardbus.ShardRegion;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import io.shardbus.model.StopReason;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A region is started again on its node before the one in its place has ended. */
@Timeout(60)
class RegionRestartTest {
    private final LoneNode node =
            new LoneNode(TestCluster.options().setShutdownTimeoutMs(100).setStopTimeoutMs(50));
    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    @AfterEach
    void close() {
        gate.countDown();
        node.close();
    }

    /** Its code stays on its thread until the gate opens. */
    private final class Busy implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            try {
                if (message.equals("wait")) {
                    gate.await();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                running.decrementAndGet();
            }
            return reply(message);
        }
    }

    private EntityDefinition<String> definition() {
        return texts(id -> new Busy()).withExecution(ExecutionModel.WORKER);
    }

    @Test
    void itBeginsWhenTheLastCodeOfTheOneBeforeHasEnded() {
        EntityDefinition<String> definition = definition();
        ShardRegion<String> region = node.start(definition);
        Future<String> waiting = ask(region.entityRef("a"), "wait");
        until("its code runs", () -> running.get() == 1);
        await(region.leave());
        Future<ShardRegion<String>> next = node.sharding().start(definition);
        Future<String> early = next.compose(started -> ask(started.entityRef("a"), "early"));
        assertFalse(next.isComplete(), "the code still runs");
        gate.countDown();
        assertEquals("early", await(early));
        assertEquals(1, most.get());
        until("the first ask has an end", waiting::isComplete);
    }

    @Test
    void whileTheOneBeforeLeavesANewOneIsGiven() {
        EntityDefinition<String> definition = definition();
        ShardRegion<String> region = node.start(definition);
        assertEquals("one", await(ask(region.entityRef("a"), "one")));
        Future<Void> left = region.leave();
        ShardRegion<String> next = node.start(definition);
        assertNotSame(region, next);
        await(left);
        assertEquals("two", await(ask(next.entityRef("a"), "two")));
        assertEquals("three", await(ask(region.entityRef("a"), "three")), "references go on with it");
    }

    @Test
    void theOneBeforeDoesNotActOnTheOneInItsPlace() {
        EntityDefinition<String> definition = definition();
        ShardRegion<String> region = node.start(definition);
        await(region.leave());
        assertEquals(FailureCode.SHUTTING_DOWN, failureCode(region.state()));
        ShardRegion<String> next = node.start(definition);
        await(region.leave());
        assertEquals("one", await(ask(next.entityRef("a"), "one")));
        assertEquals(FailureCode.SHUTTING_DOWN, failureCode(region.state()));
        assertEquals(1, await(next.state()).entities());
        assertSame(next, node.sharding().region(definition.type().name()).orElseThrow());
        await(next.leave());
        assertEquals(Set.of(), node.sharding().startedTypes());
    }

    @Test
    void aSecondLeaveOfTheRegionBeforeWaitsForItsEnd() {
        try (LoneNode other = new LoneNode(TestCluster.options())) {
            Promise<Void> stop = Promise.promise();
            EntityDefinition<String> definition = texts(id -> new Slow(stop));
            ShardRegion<String> region = other.start(definition);
            assertEquals("one", await(ask(region.entityRef("a"), "one")));
            Future<Void> left = region.leave();
            Future<ShardRegion<String>> next = other.sharding().start(definition);
            Future<Void> again = region.leave();
            assertFalse(again.isComplete(), "it has not ended");
            stop.complete();
            await(again);
            await(left);
            assertEquals("two", await(ask(await(next).entityRef("a"), "two")));
        }
    }

    /** Takes its time to stop. */
    private record Slow(Promise<Void> stop) implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            return reply(message);
        }

        @Override
        public Future<?> stopping(StopReason reason) {
            return stop.future();
        }
    }

    @Test
    void aNodeThatClosesWaitsForTheOneWhosePlaceWasTaken() {
        try (LoneNode other = new LoneNode(TestCluster.options())) {
            Promise<Void> stop = Promise.promise();
            EntityDefinition<String> definition = texts(id -> new Slow(stop));
            ShardRegion<String> region = other.start(definition);
            assertEquals("one", await(ask(region.entityRef("a"), "one")));
            Future<Void> left = region.leave();
            Future<ShardRegion<String>> next = other.sharding().start(definition);
            Future<Boolean> closed = other.sharding().close().map(done -> left.isComplete());
            assertEquals(FailureCode.SHUTTING_DOWN, failureCode(next));
            // time for a close that does not wait
            other.vertx().setTimer(300, late -> stop.complete());
            assertTrue(await(closed), "it has ended before");
        }
    }
}
