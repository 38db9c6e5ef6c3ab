package io.shardbus.reminder;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.integration.Await;
import io.shardbus.model.FencingToken;
import io.shardbus.options.SqliteOptions;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LogAppend;
import io.shardbus.persistence.spi.LogFence;
import io.shardbus.persistence.spi.LogOpening;
import io.shardbus.persistence.spi.OpenedLog;
import io.shardbus.persistence.spi.ReminderChange;
import io.shardbus.persistence.spi.ReminderStore;
import io.shardbus.persistence.spi.TypeSpec;
import io.shardbus.runtime.reminder.DueReminders;
import io.shardbus.store.sqlite.SqliteStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A worker of reminders with the store of another Vertx")
class ForeignStoreTest {
    private static final FencingToken TOKEN = new FencingToken(1, 1, 1);
    private static final int COUNT = 500;

    @TempDir
    private Path directory;

    @Test
    @DisplayName("stays on its own event loop, and brings each reminder once")
    void staysOnItsLoop() throws InterruptedException {
        Vertx others = Vertx.vertx();
        Vertx own = Vertx.vertx();
        String file = directory.resolve("a.db").toString();
        SqliteStore store = SqliteStore.create(others, new SqliteOptions().setFile(file));
        try {
            fill(store, others);
            Set<Thread> threads = ConcurrentHashMap.newKeySet();
            Set<String> delivered = ConcurrentHashMap.newKeySet();
            CountDownLatch left = new CountDownLatch(COUNT);
            DueReminders.Delivery delivery = reminder -> {
                threads.add(Thread.currentThread());
                if (delivered.add(reminder.id())) {
                    left.countDown();
                }
                Promise<Void> answer = Promise.promise();
                others.runOnContext(elsewhere -> answer.complete());
                return answer.future();
            };
            List<Integer> all = IntStream.range(0, ReminderStore.PARTS).boxed().toList();
            Future<String> worker = own.deployVerticle(new ReminderWorker("t", store, all, delivery, () -> 1_000));
            assertEquals(true, left.await(60, TimeUnit.SECONDS), () -> left.getCount() + " were not brought");
            Await.result(own.undeploy(Await.result(worker)));
            assertEquals(1, threads.size());
            assertEquals(List.of(), Await.result(store.reminders().first(1, all, 1)));
        } finally {
            Await.result(store.close());
            Await.result(own.close());
            Await.result(others.close());
        }
    }

    private static void fill(SqliteStore store, Vertx vertx) {
        Await.result(store.start());
        var type = Await.result(store.register(new TypeSpec("t", TypeSpec.Model.EVENTS, 1, "a")));
        var home = store.connect(vertx.getOrCreateContext());
        var log = (OpenedLog.Open)
                Await.result(home.open(List.of(new LogOpening(type, 0, TOKEN)))).get(0);
        Buffer message = Buffer.buffer("m");
        List<EventRow> rows = LongStream.rangeClosed(1, COUNT)
                .mapToObj(number -> new EventRow(
                        "e" + number,
                        1,
                        number,
                        "e",
                        1,
                        1,
                        message,
                        null,
                        Set.of(),
                        List.of(new ReminderChange("x", number, message))))
                .toList();
        var append = new LogAppend<>(new LogFence(log.log(), TOKEN, log.opening()), 0, rows);
        assertEquals(1, Await.result(home.append(List.of(append))).size());
    }
}
