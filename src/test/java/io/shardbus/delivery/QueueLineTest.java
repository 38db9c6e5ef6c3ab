package io.shardbus.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.core.persistence.QueueRoom;
import io.shardbus.integration.Await;
import io.shardbus.model.FailureCode;
import io.shardbus.testkit.TestEntityRef;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a node stores in a partition of a delivery queue")
class QueueLineTest {
    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final AtomicLong clock = new AtomicLong();
    private final TestEntityRef<QueueBatch> partition =
            TestEntityRef.of(EntityType.of("queue.q", QueueBatch.class), "3");
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final QueueLine line = new QueueLine(vertx, context, partition, 100_000, clock::get, new QueueLine.Told() {
        @Override
        public void over(QueueLine.Waiting command, @Nullable ShardingException failure) {
            told.add(command.id() + " " + (failure == null ? "stored" : failure.code()));
        }

        @Override
        public void full(boolean isFull) {
            told.add(isFull ? "full" : "no longer full");
        }
    });

    @AfterEach
    void end() {
        Await.result(vertx.close());
    }

    private void add(String id, long deadline) {
        context.runOnContext(
                now -> line.add(new QueueLine.Waiting("inbox", id, Buffer.buffer("x"), deadline, Promise.promise())));
    }

    private void awaitTold(String... lines) {
        Await.until(() -> told, () -> told.equals(List.of(lines)));
    }

    private List<List<String>> batches() {
        return partition.received().stream()
                .map(batch -> batch.commands().stream().map(QueuedCommand::id).toList())
                .toList();
    }

    private static ShardingException failure(FailureCode code) {
        return new ShardingException(code, "of the test");
    }

    @Test
    @DisplayName("is no longer full when it is closed, and a later answer does not change that")
    void closedWhileFull() {
        Promise<Long> look = Promise.promise();
        partition.answering(
                batch -> batch.commands().isEmpty() ? look.future() : Future.succeededFuture((long) QueueRoom.FULL));
        add("a", 30_000);
        awaitTold("full", "a stored");
        Await.until(partition::received, () -> partition.received().size() == 2);
        context.runOnContext(
                now -> line.close(failure(FailureCode.SHUTTING_DOWN), failure(FailureCode.OUTCOME_UNKNOWN)));
        awaitTold("full", "a stored", "no longer full");
        look.complete((long) QueueRoom.MOST);
        Promise<Void> later = Promise.promise();
        context.runOnContext(first -> context.runOnContext(second -> later.complete()));
        Await.result(later.future());
        awaitTold("full", "a stored", "no longer full");
    }

    @Test
    @DisplayName("ends each command of a batch at its own time, and sends only the others on")
    void ownDeadlines() {
        Promise<Object> held = Promise.promise();
        // the three meet in one batch behind it
        partition.answering(batch -> held.future());
        add("first", 30_000);
        add("a", 30_000);
        add("b", 59_000);
        add("c", 59_000);
        Await.until(partition::received, () -> partition.received().size() == 1);
        partition.answering(batch -> Future.failedFuture(failure(FailureCode.STORE_UNAVAILABLE)));
        held.complete(0L);
        Await.until(this::batches, () -> batches().contains(List.of("a", "b", "c")));
        clock.set(29_999);
        awaitTold("first stored", "a STORE_UNAVAILABLE");
        Await.until(this::batches, () -> batches().contains(List.of("b", "c")));
        partition.answering(batch -> Future.succeededFuture(0L));
        awaitTold("first stored", "a STORE_UNAVAILABLE", "b stored", "c stored");
    }

    @Test
    @DisplayName("is sent again where the partition does not know whether it has room")
    void uncertainRoom() {
        partition.answering(batch -> Future.succeededFuture(QueuePartition.UNCERTAIN));
        add("a", 30_000);
        Await.until(partition::received, () -> partition.received().size() == 2);
        assertEquals(List.of(), told);
        partition.answering(batch -> Future.succeededFuture(0L));
        awaitTold("a stored");
    }

    @Test
    @DisplayName("does not know of a command whose time is over whether it is stored, and repeats the whole batch")
    void ownDeadlinesUncertain() {
        Promise<Object> held = Promise.promise();
        partition.answering(batch -> held.future());
        add("first", 30_000);
        add("a", 30_000);
        add("b", 59_000);
        Await.until(partition::received, () -> partition.received().size() == 1);
        partition.answering(batch -> Future.failedFuture(failure(FailureCode.TIMED_OUT)));
        held.complete(0L);
        Await.until(this::batches, () -> batches().contains(List.of("a", "b")));
        clock.set(29_999);
        awaitTold("first stored", "a OUTCOME_UNKNOWN");
        partition.answering(batch -> Future.succeededFuture(0L));
        awaitTold("first stored", "a OUTCOME_UNKNOWN", "b stored");
        assertEquals(List.of("a", "b"), batches().get(batches().size() - 1));
    }
}
