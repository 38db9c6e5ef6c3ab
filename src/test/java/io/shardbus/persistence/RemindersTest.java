package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Ask;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.integration.LogLines;
import io.shardbus.model.FailureCode;
import io.shardbus.options.ShardingOptions;
import io.shardbus.persistence.spi.ReminderStore.Reminder;
import io.shardbus.store.memory.MemoryStore;
import io.shardbus.testkit.EntityTestKit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Reminders of a persistent entity")
class RemindersTest {
    private static final EntityType<Message> TYPE = EntityType.of("alarm", Message.class);

    private final List<String> rung = new CopyOnWriteArrayList<>();
    private volatile boolean failing;
    private final MemoryStore store = MemoryStore.create();
    private final EntityTestKit<Message> alarm =
            EntityTestKit.of(EventSourced.of(TYPE, id -> new Alarm(), EventCodec.json(Event.class))
                    .on(store));

    sealed interface Message {}

    /** Sets and cancels, and stores so many events. */
    record Plan(String name, long at, int events) implements Message, Ask<Long> {}

    /** Sets a reminder whose message has more than so many bytes. */
    record Large(int bytes) implements Message, Ask<Long> {}

    /** Sets one for the greatest Instant there is. */
    record Never() implements Message, Ask<Long> {}

    record Unplan(String name) implements Message, Ask<Long> {}

    record Rings(String name) implements Message, Ask<Long> {}

    record Refused() implements Message, Ask<Long> {}

    record End() implements Message, Ask<Long> {}

    sealed interface Event {}

    record Noted(long number) implements Event {}

    private void ring(Rings rings) {
        if (failing) {
            throw new IllegalStateException("told to fail");
        }
        rung.add(rings.name());
    }

    private final class Alarm implements EventSourcedEntity<Message, Event, Long> {
        @Override
        public Long emptyState() {
            return 0L;
        }

        @Override
        public Effect<Event, Long> handle(Long state, Message message, PersistenceContext<Message> context) {
            if (message instanceof Plan plan) {
                context.remind(plan.name(), Instant.ofEpochMilli(plan.at()), new Rings(plan.name()));
                List<Noted> events =
                        LongStream.range(0, plan.events()).mapToObj(Noted::new).toList();
                return persist(events).thenReply(now -> now);
            }
            if (message instanceof Never) {
                context.remind("never", Instant.MAX, new Rings("never"));
                return persist(new Noted(0)).thenReply(now -> now);
            }
            if (message instanceof Large large) {
                context.remind("large", Instant.EPOCH, new Rings("x".repeat(large.bytes())));
                return persist(new Noted(0)).thenReply(now -> now);
            }
            if (message instanceof Unplan unplan) {
                context.cancelReminder(unplan.name());
                return persist(new Noted(0)).thenReply(now -> now);
            }
            if (message instanceof Refused) {
                context.remind("refused", Instant.EPOCH, new Rings("refused"));
                return refuse("NO", "no");
            }
            if (message instanceof Rings rings) {
                ring(rings);
            }
            return message instanceof End ? delete() : reply(state);
        }

        @Override
        public Long apply(Long state, Event event) {
            return state + 1;
        }
    }

    @AfterEach
    void close() {
        alarm.close();
    }

    private List<String> names() {
        return store.reminders().of(1, "test").result().stream()
                .map(reminder -> reminder.name() + "@" + reminder.due())
                .toList();
    }

    @Test
    @DisplayName("are stored with the events of their command, replaced by name and cancelled, and go with the entity")
    void stored() {
        assertEquals(2, alarm.ask(new Plan("x", 70, 2)));
        alarm.ask(new Plan("y", 50, 1));
        assertEquals(List.of("x@70", "y@50"), names());
        Reminder x = store.reminders().of(1, "test").result().get(0);
        assertTrue(x.payload().toString().contains("Rings"), x::toString);
        alarm.passivate();
        assertEquals(4, alarm.ask(new Plan("x", 90, 1)));
        alarm.ask(new Unplan("y"));
        assertEquals(List.of("x@90"), names());
        alarm.ask(new End());
        assertEquals(List.of(), names());
    }

    @Test
    @DisplayName(
            "need something to be stored with: a command that stores nothing fails, and the next is not hurt by it")
    void needEvents() {
        ShardingException failure = assertThrows(ShardingException.class, () -> alarm.ask(new Plan("x", 70, 0)));
        assertEquals(FailureCode.ENTITY_FAILED, failure.code());
        assertThrows(ShardingException.class, () -> alarm.ask(new Refused()));
        assertThrows(ShardingException.class, () -> alarm.ask(new Plan("", 70, 1)));
        alarm.ask(new Unplan("other"));
        assertEquals(List.of(), names());
    }

    @Test
    @DisplayName("are refused with a message that is too large to travel to its entity, and nothing is stored")
    void tooLarge() {
        assertEquals(1, alarm.ask(new Large(1000)));
        int most = new ShardingOptions().getMaxPayloadBytes();
        ShardingException failure = assertThrows(ShardingException.class, () -> alarm.ask(new Large(most)));
        assertEquals(FailureCode.ENTITY_FAILED, failure.code());
        assertTrue(failure.getMessage().contains("maxPayloadBytes is " + most), failure::getMessage);
        assertEquals(2, alarm.ask(new Unplan("large")));
        assertEquals(List.of(), names());
    }

    @Test
    @DisplayName("are refused with a time that has no number of milliseconds, and nothing is stored")
    void noTime() {
        ShardingException failure = assertThrows(ShardingException.class, () -> alarm.ask(new Never()));
        assertEquals(FailureCode.ENTITY_FAILED, failure.code());
        assertTrue(failure.getMessage().contains("'never' is set for " + Instant.MAX), failure::getMessage);
        assertEquals(1, alarm.ask(new Unplan("never")));
        assertEquals(List.of(), names());
    }

    @Test
    @DisplayName("are delivered in a test at their time, once, also after a passivation")
    void delivered() {
        long begin = System.currentTimeMillis();
        alarm.startReminders(store);
        alarm.ask(new Plan("x", begin + 60_000, 1));
        alarm.passivate();
        alarm.advance(Duration.ofSeconds(40));
        assertEquals(List.of(), rung);
        alarm.advance(Duration.ofSeconds(20));
        assertEquals(List.of("x"), rung);
        alarm.advance(Duration.ofHours(1));
        assertEquals(List.of("x"), rung);
        assertEquals(List.of(), names());
    }

    @Test
    @DisplayName("are reported once where their delivery was not started")
    void undelivered() {
        try (var lines = new LogLines("io.shardbus.runtime.persistence.RemindedTypes")) {
            alarm.ask(new Plan("x", 70, 1));
            alarm.ask(new Plan("y", 70, 1));
            List<String> told = lines.with("type=alarm: an entity sets a reminder");
            assertEquals(1, told.size());
            assertTrue(told.get(0).startsWith("WARN"), told::toString);
        }
    }

    @Test
    @DisplayName("are not reported where it was")
    void deliveryStarted() {
        alarm.startReminders(store);
        try (var lines = new LogLines("io.shardbus.runtime.persistence.RemindedTypes")) {
            alarm.ask(new Plan("x", 70, 1));
            assertEquals(List.of(), lines.with("type=alarm: an entity sets a reminder"));
        }
    }

    @Test
    @DisplayName("are delivered again in a test when the entity has failed")
    void again() {
        long begin = System.currentTimeMillis();
        alarm.startReminders(store);
        failing = true;
        alarm.ask(new Plan("x", begin, 1));
        alarm.advance(Duration.ofSeconds(1));
        assertEquals(1, names().size());
        assertEquals(1, alarm.counters().get("reminder_failures"));
        failing = false;
        alarm.advance(Duration.ofSeconds(20));
        assertEquals(List.of("x"), rung);
        assertEquals(List.of(), names());
    }

    @Test
    @DisplayName("are due by the test's clock where the test gives the entity one")
    void ownClock() {
        var own = MemoryStore.create();
        var now = new AtomicReference<LongSupplier>();
        try (var kit = EntityTestKit.<Message>withClock(clock -> {
            now.set(clock);
            return EventSourced.of(TYPE, id -> new Alarm(), EventCodec.json(Event.class))
                    .on(own);
        })) {
            kit.startReminders(own);
            kit.ask(new Plan("x", now.get().getAsLong() + 5_000, 1));
            kit.advance(Duration.ofMillis(4_999));
            assertEquals(List.of(), rung);
            kit.advance(Duration.ofMillis(1));
            assertEquals(List.of("x"), rung);
        }
    }

    /** Sets its reminder again, a minute later, whenever it is delivered. */
    private final class Repeating implements EventSourcedEntity<Message, Event, Long> {
        private final LongSupplier clock;

        Repeating(LongSupplier clock) {
            this.clock = clock;
        }

        @Override
        public Long emptyState() {
            return 0L;
        }

        @Override
        public Effect<Event, Long> handle(Long state, Message message, PersistenceContext<Message> context) {
            if (message instanceof Rings rings) {
                ring(rings);
            }
            context.remind("tick", Instant.ofEpochMilli(clock.getAsLong() + 60_000), new Rings("tick"));
            return persist(new Noted(0)).thenReply(now -> now);
        }

        @Override
        public Long apply(Long state, Event event) {
            return state;
        }
    }

    private EntityTestKit<Message> repeating(Function<LongSupplier, LongSupplier> clock) {
        MemoryStore own = MemoryStore.create();
        EntityTestKit<Message> kit = EntityTestKit.withClock(
                tests -> EventSourced.of(TYPE, id -> new Repeating(clock.apply(tests)), EventCodec.json(Event.class))
                        .on(own));
        kit.startReminders(own);
        return kit;
    }

    @Test
    @DisplayName("that are set again when they are delivered come at each of their times in a test")
    void repeated() {
        try (var kit = repeating(tests -> tests)) {
            kit.ask(new End());
            kit.advance(Duration.ofMinutes(10));
            assertEquals(10, rung.size());
        }
    }

    @Test
    @DisplayName("that are set again for a time that has passed for the test fail it, and say what to do")
    void repeatedInThePast() {
        try (var kit = repeating(tests -> () -> 0)) {
            kit.ask(new End());
            var failure = assertThrows(AssertionError.class, () -> kit.advance(Duration.ofMinutes(10)));
            assertTrue(String.valueOf(failure.getMessage()).contains("EntityTestKit.withClock"), failure::toString);
        }
    }

    /** Sets its reminder where it belongs to no command; what it was told then. */
    private static final class Misplaced implements EventSourcedEntity<Message, Event, Long> {
        private final List<String> told;

        Misplaced(List<String> told) {
            this.told = told;
        }

        private void remind(String where, PersistenceContext<Message> context) {
            try {
                context.remind(where, Instant.EPOCH, new Rings(where));
            } catch (IllegalStateException e) {
                told.add(where + ": " + e.getMessage());
            }
        }

        @Override
        public Long emptyState() {
            return 0L;
        }

        @Override
        public void recovered(Long state, PersistenceContext<Message> context) {
            remind("recovered", context);
        }

        @Override
        public Effect<Event, Long> handle(Long state, Message message, PersistenceContext<Message> context) {
            return persist(new Noted(0))
                    .thenRun(now -> remind("action", context))
                    .thenReply(now -> now);
        }

        @Override
        public Long apply(Long state, Event event) {
            return state + 1;
        }
    }

    @Test
    @DisplayName("are refused where no command is decided on: they could be stored with none, or with another one")
    void misplaced() {
        List<String> told = new CopyOnWriteArrayList<>();
        MemoryStore own = MemoryStore.create();
        var type = EventSourced.of(TYPE, id -> new Misplaced(told), EventCodec.json(Event.class));
        try (var kit = EntityTestKit.of(type.on(own))) {
            assertEquals(1, kit.ask(new End()));
            assertEquals(2, kit.ask(new End()));
        }
        assertEquals(List.of(), own.reminders().of(1, "test").result());
        assertEquals(3, told.size(), told::toString);
        assertTrue(
                told.get(0).startsWith("recovered: a reminder (recovered) is set or cancelled in handle"),
                told::toString);
        assertTrue(told.get(1).startsWith("action: a reminder (action) is set or cancelled in handle"), told::toString);
    }
}
