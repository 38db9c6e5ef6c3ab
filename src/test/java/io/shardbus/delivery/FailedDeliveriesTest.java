package io.shardbus.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.integration.Await;
import io.shardbus.integration.LogLines;
import io.shardbus.model.FailureCode;
import io.shardbus.testkit.ClusterTestKit;
import io.shardbus.testkit.EntityTestKit;
import io.shardbus.testkit.TestEntityRef;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A delivery of a numbered producer that fails")
class FailedDeliveriesTest {
    private static final EntityType<Integer> TYPE = EntityType.of("plain", Integer.class);

    private final Vertx vertx = Vertx.vertx();
    private final NumberedProducer producer = new NumberedProducer(vertx, "p", NumberedProducer.MOST_UNSETTLED);
    private final AtomicInteger callersFailures = new AtomicInteger();
    private final List<Long> sent = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        producer.close();
        Await.result(vertx.close());
    }

    private static Future<?> unexpected(ShardingException refusal) {
        return Future.failedFuture(refusal);
    }

    private static ShardingException failure(Future<?> settled) {
        return assertThrows(ShardingException.class, () -> ClusterTestKit.await(settled));
    }

    private Future<Void> deliver(long number, NumberedProducer.Attempt attempt) {
        return producer.deliver(number, TestEntityRef.of(TYPE, "a"), FailedDeliveriesTest::unexpected, attempt);
    }

    private Future<Void> deliver(long number) {
        return deliver(number, (tag, timeout) -> {
            sent.add(tag.number());
            return Future.succeededFuture();
        });
    }

    @Test
    @DisplayName("is logged from the second time on, and is why its producer was closed before")
    void tellsWhatFails() {
        Entity<Integer> plain = new Entity<>() {
            @Override
            public Future<?> receive(Integer message, EntityContext<Integer> context) {
                return Future.succeededFuture();
            }
        };
        try (var entity = EntityTestKit.of(EntityDefinition.of(TYPE, id -> plain));
                var lines = new LogLines(NumberedProducer.class.getName())) {
            Future<Void> never = producer.deliver(1, entity.ref(), 5, FailedDeliveriesTest::unexpected);
            Await.until(
                    () -> lines.with(""),
                    () -> lines.with("attempt 2 to deliver to " + entity.ref()).stream()
                            .anyMatch(line -> line.startsWith("WARN") && line.contains("stores nothing")));
            producer.close();
            ShardingException closed = failure(never);
            assertEquals(FailureCode.SHUTTING_DOWN, closed.code());
            assertTrue(closed.getMessage().contains("stores nothing"), closed.getMessage());
            assertEquals(
                    FailureCode.DELIVERY_REFUSED,
                    assertInstanceOf(ShardingException.class, closed.getCause()).code());
        }
    }

    @Test
    @DisplayName("as it had no answer is logged at once: its attempt was long")
    void tellsOfTimeouts() {
        try (var lines = new LogLines(NumberedProducer.class.getName())) {
            AtomicInteger attempts = new AtomicInteger();
            ClusterTestKit.await(deliver(
                    1,
                    (tag, timeout) -> attempts.incrementAndGet() == 1
                            ? Future.failedFuture(new ShardingException(FailureCode.TIMED_OUT, "no answer in time"))
                            : Future.succeededFuture()));
            assertEquals(1, lines.with("attempt 1 to deliver to ").size());
        }
    }

    /** A reference of a program's own that was written before there were deliveries. */
    @SuppressWarnings("unchecked")
    private static <M> EntityRef<M> ofOlderKind(EntityRef<M> target) {
        return (EntityRef<M>) Proxy.newProxyInstance(
                EntityRef.class.getClassLoader(),
                new Class<?>[] {EntityRef.class},
                (proxy, method, arguments) -> method.isDefault()
                        ? InvocationHandler.invokeDefault(proxy, method, arguments)
                        : method.invoke(target, arguments));
    }

    @Test
    @DisplayName("fails at once through a reference that carries no deliveries")
    void neverCarried() {
        EntityRef<Integer> reference = ofOlderKind(TestEntityRef.of(TYPE, "a"));
        Future<Void> never = producer.deliver(1, reference, 5, FailedDeliveriesTest::unexpected);
        assertEquals(FailureCode.DELIVERY_REFUSED, failure(never).code());
        assertEquals(0, producer.unsettled());
        assertEquals(0, producer.lines());
    }

    @Test
    @DisplayName("has the number of an earlier one to the same entity, settled or not")
    void sameNumberTwice() {
        ClusterTestKit.await(deliver(1));
        Future<Void> again = deliver(1);
        assertThrows(IllegalArgumentException.class, () -> ClusterTestKit.await(again));
        assertEquals(List.of(1L), sent);
        assertEquals(0, producer.unsettled());
        ClusterTestKit.await(producer.deliver(
                1,
                TestEntityRef.of(TYPE, "b"),
                FailedDeliveriesTest::unexpected,
                (tag, timeout) -> Future.succeededFuture()));
    }

    @Test
    @DisplayName("at its caller, when it is settled, keeps none of the others")
    void callerFails() {
        int most = 3 * 16;
        vertx.exceptionHandler(failure -> callersFailures.incrementAndGet());
        Promise<Void> begin = Promise.promise();
        for (int number = 1; number <= most; number++) {
            deliver(number, (tag, timeout) -> begin.future().onSuccess(begun -> sent.add(tag.number())))
                    .onSuccess(settled -> {
                        throw new IllegalStateException("of the caller");
                    });
        }
        begin.complete();
        Await.until(() -> sent, () -> sent.size() == most && callersFailures.get() == most);
        assertEquals(0, producer.unsettled());
    }

    @Test
    @DisplayName("as its producer is closed lets go who waits for the drain, also when a caller fails")
    void closes() {
        vertx.exceptionHandler(failure -> callersFailures.incrementAndGet());
        for (int number = 1; number <= NumberedProducer.FULL; number++) {
            deliver(number, (tag, timeout) -> Promise.promise().future()).onFailure(closed -> {
                throw new IllegalStateException("of the caller");
            });
        }
        assertTrue(producer.writeQueueFull());
        Promise<Void> drained = Promise.promise();
        producer.drainHandler(drained::complete);
        producer.close();
        ClusterTestKit.await(drained.future());
        Await.until(() -> callersFailures, () -> callersFailures.get() == NumberedProducer.FULL);
    }

    @Test
    @DisplayName("with an Error is sent again")
    void error() {
        AtomicInteger attempts = new AtomicInteger();
        ClusterTestKit.await(deliver(1, (tag, timeout) -> {
            if (attempts.incrementAndGet() == 1) {
                throw new StackOverflowError("of a codec");
            }
            return Future.succeededFuture();
        }));
        assertEquals(2, attempts.get());
    }
}
