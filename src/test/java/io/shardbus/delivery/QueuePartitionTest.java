package io.shardbus.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.shardbus.EntityType;
import io.shardbus.core.persistence.QueueRoom;
import io.shardbus.integration.Await;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.spi.EventReader.LogInfo;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.store.memory.MemoryStore;
import io.shardbus.testkit.EntityTestKit;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A partition of a delivery queue")
class QueuePartitionTest {
    private static final EntityType<QueueBatch> TYPE = EntityType.of("partition", QueueBatch.class);

    private final MemoryStore store = MemoryStore.create();
    private final AtomicLong now = new AtomicLong();
    /** Completes when appends may be stored. */
    private Promise<Void> gate = Promise.promise();
    /** Completes when the partition hears that appends are stored. */
    private final Promise<Void> answers = Promise.promise();

    private static QueueBatch batch(long session, long number, int commands) {
        return new QueueBatch(
                Collections.nCopies(commands, new QueuedCommand(session, number, "t", "id", Buffer.buffer("x"))));
    }

    /** Nothing is confirmed: all that the store has. */
    private Future<Long> unconfirmed() {
        return store.reader()
                .type(TYPE.name())
                .compose(type -> store.reader().logs(type))
                .map(logs -> logs.stream().mapToLong(LogInfo::end).sum());
    }

    private PersistenceStore gated() {
        return proxy(PersistenceStore.class, store);
    }

    private <T> T proxy(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().equals("append")) {
                        return gate.future()
                                .compose(open -> call(method, target, arguments))
                                .compose(stored -> answers.future().map(heard -> stored));
                    }
                    Object answer = invoke(method, target, arguments);
                    return answer instanceof StoreConnection connection
                            ? proxy(StoreConnection.class, connection)
                            : answer;
                }));
    }

    private static Future<?> call(java.lang.reflect.Method method, Object target, Object[] arguments) {
        try {
            return (Future<?>) method.invoke(target, arguments);
        } catch (ReflectiveOperationException e) {
            return Future.failedFuture(e);
        }
    }

    private static Object invoke(java.lang.reflect.Method method, Object target, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Test
    @DisplayName("counts commands that are on their way to the store as unconfirmed when it looks there")
    void underWay() {
        var type =
                EventSourced.of(TYPE, id -> new QueuePartition(shard -> unconfirmed(), now::get), QueuedCommand.CODEC);
        try (var partition = EntityTestKit.of(type.on(gated()).withCodec(QueueBatch.CODEC))) {
            Future<Long> first = ask(partition, batch(1, 1, QueueRoom.FULL));
            now.addAndGet(1_000);
            Future<Long> second = ask(partition, batch(2, 1, QueueRoom.FULL));
            now.addAndGet(1_000);
            Future<Long> third = ask(partition, batch(3, 1, 1));
            answers.complete();
            gate.complete();
            Await.until(() -> "no answers", () -> third.isComplete());
            assertEquals(QueueRoom.FULL, first.result());
            assertEquals(QueueRoom.MOST, second.result());
            assertEquals(QueuePartition.UNCERTAIN, third.result());
            now.addAndGet(1_000);
            Future<Long> again = ask(partition, batch(3, 1, 1));
            Await.until(() -> "no answer", () -> again.isComplete());
            assertEquals(QueuePartition.REFUSED, again.result());
            assertEquals(QueueRoom.MOST, Await.result(unconfirmed()));
        }
    }

    @Test
    @DisplayName("refuses no commands that have room, if the store shows some that the partition does not know stored")
    void countedTwice() {
        var type =
                EventSourced.of(TYPE, id -> new QueuePartition(shard -> unconfirmed(), now::get), QueuedCommand.CODEC);
        try (var partition = EntityTestKit.of(type.on(gated()).withCodec(QueueBatch.CODEC))) {
            gate.complete();
            Future<Long> first = ask(partition, batch(1, 1, QueueRoom.FULL));
            Await.until(() -> "nothing is stored", () -> Await.result(unconfirmed()) == QueueRoom.FULL);
            now.addAndGet(1_000);
            QueueBatch batch = batch(2, 1, QueueRoom.MOST - QueueRoom.FULL);
            Future<Long> second = ask(partition, batch);
            assertFalse(first.isComplete() || second.isComplete());
            answers.complete();
            Await.until(() -> "no answers", () -> second.isComplete());
            assertEquals(QueuePartition.UNCERTAIN, second.result());
            now.addAndGet(1_000);
            Future<Long> again = ask(partition, batch);
            Await.until(() -> "no answer", () -> again.isComplete());
            assertEquals(QueueRoom.MOST, again.result());
        }
    }

    private static Future<Long> ask(EntityTestKit<QueueBatch> partition, QueueBatch batch) {
        Future<Long> asked = partition.ref().request(batch, Long.class, Duration.ofSeconds(10));
        partition.advance(Duration.ofMillis(100));
        return asked;
    }
}
