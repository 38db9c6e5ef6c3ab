package io.shardbus.reminder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ShardingException;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LogAppend;
import io.shardbus.persistence.spi.LogFence;
import io.shardbus.persistence.spi.LogOpening;
import io.shardbus.persistence.spi.OpenedLog;
import io.shardbus.persistence.spi.ReminderChange;
import io.shardbus.persistence.spi.ReminderStore;
import io.shardbus.persistence.spi.ReminderStore.Reminder;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.persistence.spi.TypeSpec;
import io.shardbus.store.memory.MemoryStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A worker of reminders")
class ReminderWorkerTest {
    private static final Buffer MESSAGE = Buffer.buffer("m");
    private static final FencingToken TOKEN = new FencingToken(1, 1, 1);
    private static final List<Integer> ALL =
            IntStream.range(0, ReminderStore.PARTS).boxed().toList();

    private final MemoryStore store = MemoryStore.create();
    private final StoredType type =
            store.register(new TypeSpec("t", TypeSpec.Model.EVENTS, 1, "a")).result();
    private final StoreConnection home = store.connect(null);
    private final OpenedLog.Open log = (OpenedLog.Open)
            home.open(List.of(new LogOpening(type, 0, TOKEN))).result().get(0);
    private final List<String> delivered = new ArrayList<>();
    private long now = 1_000;
    private long end;
    private Future<Void> answer = Future.succeededFuture();

    private final ReminderWorker worker = worker(ALL);

    private ReminderWorker worker(List<Integer> parts) {
        ReminderWorker.Delivery delivery = reminder -> {
            delivered.add(reminder.id());
            return answer;
        };
        return new ReminderWorker("t", store, parts, delivery, () -> now);
    }

    private void set(String id, long due) {
        List<ReminderChange> changes = List.of(new ReminderChange("x", due, MESSAGE));
        var row = new EventRow(id, end + 1, end + 1, "e", 1, 1, MESSAGE, null, Set.of(), changes);
        var append = new LogAppend<>(new LogFence(log.log(), TOKEN, log.opening()), end, List.of(row));
        assertEquals(1, home.append(List.of(append)).result().size());
        end++;
    }

    private List<Reminder> stored() {
        return store.reminders().first(type.number(), ALL, Integer.MAX_VALUE).result();
    }

    @Test
    @DisplayName("delivers what is due, in its order, and waits for the next one")
    void delivers() {
        set("late", 1_300);
        set("b", 999);
        set("a", 1_000);
        assertEquals(1, worker.round().result());
        assertEquals(List.of("b", "a"), delivered);
        assertEquals(300, worker.round().result(), "until the next one");
        now = 1_300;
        worker.round();
        assertEquals(List.of("b", "a", "late"), delivered);
        assertEquals(ReminderWorker.POLL_MS, worker.round().result(), "an earlier one may be set");
        assertEquals(List.of(), stored());
    }

    @Test
    @DisplayName("keeps what has no answer yet, and brings it again later when the entity could not be reached")
    void again() {
        Promise<Void> asked = Promise.promise();
        answer = asked.future();
        set("a", 900);
        Future<Long> round = worker.round();
        assertEquals(1, stored().size(), "a crash now would bring it again");
        asked.fail(new ShardingException(FailureCode.TIMED_OUT, "the test says so"));
        assertTrue(round.succeeded());
        assertEquals(List.of(new Reminder("a", "x", now + ReminderWorker.AGAIN_MS, MESSAGE)), stored());
        worker.round();
        assertEquals(List.of("a"), delivered);
        now += ReminderWorker.AGAIN_MS;
        answer = Future.succeededFuture();
        worker.round();
        assertEquals(List.of("a", "a"), delivered);
        assertEquals(List.of(), stored());
    }

    @Test
    @DisplayName("leaves an entity that throws, and bytes that are no message, in peace for longer")
    void throwing() {
        answer = Future.failedFuture(new ShardingException(FailureCode.ENTITY_FAILED, "it threw"));
        set("a", 900);
        worker.round();
        answer = Future.failedFuture(new IllegalArgumentException("no message"));
        set("b", 900);
        worker.round();
        long next = now + ReminderWorker.FAILED_MS;
        assertEquals(List.of(next, next), stored().stream().map(Reminder::due).toList());
    }

    @Test
    @DisplayName("ends a reminder that the entity refuses, and leaves one that was set anew meanwhile")
    void refused() {
        answer = Future.failedFuture(new ShardingException(FailureCode.ENTITY_FAILED, "no", "CLOSED", null));
        set("a", 900);
        worker.round();
        assertEquals(List.of(), stored());
        Promise<Void> asked = Promise.promise();
        answer = asked.future();
        set("b", 900);
        worker.round();
        set("b", 5_000);
        asked.complete();
        assertEquals(List.of(new Reminder("b", "x", 5_000, MESSAGE)), stored());
    }

    @Test
    @DisplayName("of several has its own parts alone, in pages")
    void parts() {
        for (int i = 0; i < 1_000; i++) {
            set("e" + i, 900);
        }
        var half = worker(ALL.subList(0, 32));
        while (half.round().result() == 1) {
            assertTrue(delivered.size() <= 1_000);
        }
        assertTrue(delivered.stream().allMatch(id -> ReminderStore.part(id) < 32));
        int first = delivered.size();
        assertEquals(1_000 - first, stored().size());
        assertTrue(first > 300 && first < 700, () -> first + " of 1000");
    }
}
