package io.shardbus.integration.messages;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.ShardRegion;
import io.shardbus.integration.LoneNode;
import io.shardbus.model.FailureCode;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Callers on threads without a Vert.x context whose handlers throw, and entities whose exceptions do. */
class ThrowingCallersTest {
    private final LoneNode node = new LoneNode(new ShardingOptions().setLanes(1));
    private final Promise<String> later = Promise.promise();
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private volatile @Nullable Thread lane;

    /** An exception that cannot be described. */
    private static final class Untold extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no text");
        }

        @Override
        public String toString() {
            throw new LinkageError("no class either");
        }
    }

    private final class Listed implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            lane = Thread.currentThread();
            heard.add(message);
            return switch (message) {
                case "later" -> later.future();
                case "throw" -> throw new Untold();
                case "fail" -> Future.failedFuture(new Untold());
                case "ask other" ->
                    LoneNode.ask(node.sharding().entityRef(context.type(), "other"), "from it")
                            .map(answer -> "other: " + answer);
                default -> Future.succeededFuture(message);
            };
        }
    }

    private ShardRegion<String> start() {
        return node.start(EntityDefinition.of(LoneNode.newType(), id -> (Entity<String>) new Listed())
                .withNumberOfShards(1));
    }

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void anEntityAndItsLaneGoOnAfterAHandlerThatThrows() {
        ShardRegion<String> region = start();
        EntityRef<String> entity = region.entityRef("e");
        Promise<Thread> handled = Promise.promise();
        LoneNode.ask(entity, "later").onComplete(answer -> {
            handled.complete(Thread.currentThread());
            throw new IllegalStateException("a bug in a caller's handler");
        });
        Future<String> second = LoneNode.ask(region.entityRef("f"), "to another");
        assertEquals("to another", await(second));
        later.complete("done");
        assertSame(lane, await(handled.future()), "no other thread is woken");
        assertEquals("next", await(LoneNode.ask(entity, "next")));
    }

    @Test
    void asksThatEndTogetherAllEndThoughTheFirstHandlerThrows() {
        EntityRef<String> entity = start().entityRef("e");
        assertEquals("there", await(LoneNode.ask(entity, "there")));
        Duration soon = Duration.ofMillis(200);
        Future<String> first = entity.request("later", String.class, soon);
        first.onComplete(answer -> {
            throw new AssertionError("a bug in a caller's handler");
        });
        Future<String> second = entity.request("behind it", String.class, soon);
        Future<String> third = entity.request("behind that", String.class, soon);
        assertEquals(FailureCode.TIMED_OUT, LoneNode.failureCode(second));
        assertEquals(FailureCode.TIMED_OUT, LoneNode.failureCode(third));
    }

    @Test
    void aDrainHandlerThatThrowsIsNoPartOfTheLane() {
        EntityRef<String> entity = start().entityRef("e");
        Promise<@Nullable Object> called = Promise.promise();
        entity.drainHandler(drained -> {
            called.complete(Vertx.currentContext());
            throw new IllegalStateException("a bug in a drain handler");
        });
        await(called.future());
        assertEquals("next", await(LoneNode.ask(entity, "next")));
    }

    @Test
    void handlersOfCallersWithoutAContextHaveOne() {
        EntityRef<String> entity = start().entityRef("e");
        assertNull(Vertx.currentContext());
        Future<String> both = LoneNode.ask(entity, "later")
                .compose(one -> LoneNode.ask(entity, one + " and " + (Vertx.currentContext() != null)));
        later.complete("one");
        assertEquals("one and true", await(both));
    }

    @Test
    void anEntityGoesOnAfterAnExceptionThatCannotBeDescribed() {
        EntityRef<String> entity = start().entityRef("e");
        assertEquals(FailureCode.ENTITY_FAILED, LoneNode.failureCode(LoneNode.ask(entity, "throw")));
        assertEquals(FailureCode.ENTITY_FAILED, LoneNode.failureCode(LoneNode.ask(entity, "fail")));
        assertEquals("next", await(LoneNode.ask(entity, "next")));
    }

    @Test
    void anEntityIsAnsweredByAnotherOneOfItsLane() {
        EntityRef<String> entity = start().entityRef("e");
        assertEquals("other: from it", await(LoneNode.ask(entity, "ask other")));
        assertEquals(List.of("ask other", "from it"), heard);
    }
}
