package io.shardbus.reminder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import io.shardbus.runtime.reminder.DueReminders;
import io.shardbus.store.memory.MemoryStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
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
    private Function<Reminder, Future<Void>> answers = reminder -> Future.succeededFuture();

    private int failures;

    private final DueReminders worker = worker(ALL);

    private DueReminders worker(List<Integer> parts) {
        var delivery = new DueReminders.Delivery() {
            @Override
            public Future<Void> deliver(Reminder reminder) {
                delivered.add(reminder.id());
                return answers.apply(reminder);
            }

            @Override
            public void failed() {
                failures++;
            }
        };
        return new DueReminders(
                "t",
                store,
                known -> store.reminders().first(known, parts, DueReminders.MOST),
                delivery,
                () -> now,
                ReminderWorker.POLL_MS,
                () -> {});
    }

    /** As the worker does: a round, and at once the next while something was answered. */
    private static long round(DueReminders of) {
        long next = of.round().result();
        while (of.hasAnswers()) {
            next = of.round().result();
        }
        return next;
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
        assertEquals(300, round(worker), "until the next one");
        assertEquals(List.of("b", "a"), delivered);
        now = 1_300;
        assertEquals(ReminderWorker.POLL_MS, round(worker), "an earlier one may be set");
        assertEquals(List.of("b", "a", "late"), delivered);
        assertEquals(List.of(), stored());
    }

    @Test
    @DisplayName("keeps what has no answer yet, and brings it again later when the entity could not be reached")
    void again() {
        Promise<Void> asked = Promise.promise();
        answers = reminder -> asked.future();
        set("a", 900);
        round(worker);
        assertEquals(1, stored().size(), "a crash now would bring it again");
        assertEquals(1, worker.waiting());
        asked.fail(new ShardingException(FailureCode.TIMED_OUT, "the test says so"));
        round(worker);
        assertEquals(List.of(new Reminder("a", "x", 1, now + DueReminders.AGAIN_MS, MESSAGE)), stored());
        assertEquals(List.of("a"), delivered);
        assertEquals(1, failures);
        now += DueReminders.AGAIN_MS;
        answers = reminder -> Future.succeededFuture();
        round(worker);
        assertEquals(0, worker.waiting());
        assertEquals(List.of("a", "a"), delivered);
        assertEquals(List.of(), stored());
    }

    @Test
    @DisplayName("ends one whose answer cannot be encoded, as it has taken effect")
    void answerNotEncodable() {
        for (FailureCode code : List.of(FailureCode.PAYLOAD_NOT_ENCODABLE, FailureCode.PAYLOAD_TOO_LARGE)) {
            answers = reminder -> Future.failedFuture(new ShardingException(code, "the test says so"));
            set(code.name(), 900);
            round(worker);
            assertEquals(List.of(), stored());
        }
        assertEquals(2, delivered.size());
    }

    @Test
    @DisplayName("ends one whose answer is not of the class that its Ask says, as it has taken effect")
    void answerOfAnotherClass() {
        answers =
                reminder -> Future.failedFuture(new ShardingException(FailureCode.INVALID_ANSWER, "the test says so"));
        set("a", 900);
        round(worker);
        assertEquals(List.of(), stored());
        assertEquals(List.of("a"), delivered);
        assertEquals(0, failures);
    }

    @Test
    @DisplayName("leaves an entity that throws, and bytes that are no message, in peace for longer")
    void throwing() {
        answers = reminder -> Future.failedFuture(new ShardingException(FailureCode.ENTITY_FAILED, "it threw"));
        set("a", 900);
        round(worker);
        answers = reminder -> Future.failedFuture(new IllegalArgumentException("no message"));
        set("b", 900);
        round(worker);
        long next = now + DueReminders.FAILED_MS;
        assertEquals(List.of(next, next), stored().stream().map(Reminder::due).toList());
    }

    @Test
    @DisplayName("ends a reminder that the entity refuses, and leaves one that was set anew meanwhile")
    void refused() {
        answers =
                reminder -> Future.failedFuture(new ShardingException(FailureCode.ENTITY_FAILED, "no", "CLOSED", null));
        set("a", 900);
        round(worker);
        assertEquals(List.of(), stored());
        Promise<Void> asked = Promise.promise();
        answers = reminder -> asked.future();
        set("b", 900);
        round(worker);
        set("b", 5_000);
        asked.complete();
        round(worker);
        assertEquals(List.of(new Reminder("b", "x", 3, 5_000, MESSAGE)), stored());
    }

    @Test
    @DisplayName("brings one again that its handler has set anew with the same time and message")
    void setAnewAlike() {
        answers = reminder -> {
            if (delivered.size() == 1) {
                set("a", 900);
            }
            return Future.succeededFuture();
        };
        set("a", 900);
        round(worker);
        assertEquals(List.of("a", "a"), delivered);
        assertEquals(List.of(), stored());
    }

    @Test
    @DisplayName("loses nothing but time with an Error of a codec, and counts it")
    void errors() {
        answers = reminder -> {
            if (reminder.id().equals("deep")) {
                throw new StackOverflowError("of the test");
            }
            if (reminder.id().equals("lost")) {
                throw new NoClassDefFoundError("of the test");
            }
            return Future.succeededFuture();
        };
        set("deep", 900);
        set("lost", 901);
        set("good", 902);
        round(worker);
        long next = now + DueReminders.FAILED_MS;
        assertEquals(
                List.of("deep@" + next, "lost@" + next),
                stored().stream()
                        .map(one -> one.id() + "@" + one.due())
                        .sorted()
                        .toList());
        assertEquals(2, failures);
    }

    @Test
    @DisplayName("brings others while some entities are slow, and no more than so many at a time")
    void slow() {
        List<Promise<Void>> slow = new ArrayList<>();
        answers = reminder -> {
            if (reminder.id().startsWith("quick")) {
                return Future.succeededFuture();
            }
            slow.add(Promise.promise());
            return slow.get(slow.size() - 1).future();
        };
        for (int i = 0; i < DueReminders.MOST - 1; i++) {
            set("slow" + i, 100);
        }
        for (int i = 0; i < 250; i++) {
            set("quick" + i, 200);
        }
        round(worker);
        assertEquals(DueReminders.MOST - 1, stored().size(), "the slow ones alone");
        set("slowest", 100);
        set("quick", 200);
        round(worker);
        assertEquals(DueReminders.MOST, slow.size());
        assertFalse(delivered.contains("quick"));
        slow.get(0).complete();
        round(worker);
        assertTrue(delivered.contains("quick"));
        assertFalse(worker.finish().result(), "others wait");
        slow.forEach(Promise::tryComplete);
        assertTrue(worker.finish().result());
        assertEquals(List.of(), stored());
        assertEquals(delivered.size(), Set.copyOf(delivered).size(), "each once");
    }

    @Test
    @DisplayName("of several has its own parts alone, in pages")
    void parts() {
        for (int i = 0; i < 1_000; i++) {
            set("e" + i, 900);
        }
        var half = worker(ALL.subList(0, 32));
        round(half);
        assertTrue(delivered.stream().allMatch(id -> ReminderStore.part(id) < 32));
        int first = delivered.size();
        assertEquals(1_000 - first, stored().size());
        assertTrue(first > 300 && first < 700, () -> first + " of 1000");
    }
}
