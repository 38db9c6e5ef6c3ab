package io.shardbus.testkit.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Ask;
import io.shardbus.ClusterSharding;
import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.store.memory.MemoryStore;
import io.shardbus.testkit.EntityEffect.Started;
import io.shardbus.testkit.EntityEffect.Stopped;
import io.shardbus.testkit.EntityTestKit;
import io.shardbus.testkit.TestSharding;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tests that docs/guides/testing.md shows, and that it shows these. */
class GuideTest {
    sealed interface CounterMessage {}

    record Add(long amount) implements CounterMessage {}

    record Get() implements CounterMessage, Ask<Long> {}

    private static final EntityType<CounterMessage> COUNTER = EntityType.of("guide-counter", CounterMessage.class);

    private static final class Counter implements Entity<CounterMessage> {
        private long value;

        @Override
        public Future<?> receive(CounterMessage message, EntityContext<CounterMessage> context) {
            if (message instanceof Add add) {
                value += add.amount();
                return done();
            }
            return reply(value);
        }
    }

    private record Reporter(ClusterSharding sharding) implements Entity<CounterMessage> {
        @Override
        public Future<?> receive(CounterMessage message, EntityContext<CounterMessage> context) {
            sharding.entityRef(COUNTER, "sum").tell(message);
            return done();
        }
    }

    @Test
    void countsAndForgetsWhenItIsIdle() {
        try (var counter = EntityTestKit.of(EntityDefinition.of(COUNTER, id -> new Counter()))) {
            counter.tell(new Add(2));
            counter.tell(new Add(3));
            assertEquals(5L, counter.ask(new Get()));

            counter.advance(Duration.ofMinutes(5)); // idle for longer than 120 s: passivated
            assertFalse(counter.isLive());
            assertEquals(0L, counter.ask(new Get()));
            assertEquals(
                    List.of(
                            new Started(StartReason.MESSAGE),
                            new Stopped(StopReason.PASSIVATION),
                            new Started(StartReason.MESSAGE)),
                    counter.takeEffects());
        }
    }

    sealed interface ShowMessage {}

    record Reserve(int seat) implements ShowMessage, Ask<Integer> {}

    record Expire(int seat) implements ShowMessage {}

    record Taken() implements ShowMessage, Ask<Integer> {}

    record Changed(int by) {}

    /** Holds each reserved seat for 15 minutes. */
    private static final class Show implements EventSourcedEntity<ShowMessage, Changed, Integer> {
        static EntityDefinition<ShowMessage> definition(PersistenceStore store) {
            var type = EntityType.of("guide-show", ShowMessage.class);
            return EventSourced.of(type, id -> new Show(), EventCodec.json(Changed.class))
                    .on(store);
        }

        @Override
        public Integer emptyState() {
            return 0;
        }

        @Override
        public Effect<Changed, Integer> handle(
                Integer taken, ShowMessage message, PersistenceContext<ShowMessage> context) {
            if (message instanceof Reserve reserve) {
                var end = Instant.now().plus(Duration.ofMinutes(15));
                context.remind("seat-" + reserve.seat(), end, new Expire(reserve.seat()));
                return persist(new Changed(1)).thenReply(after -> after);
            }
            return message instanceof Expire ? persist(new Changed(-1)) : reply(taken);
        }

        @Override
        public Integer apply(Integer taken, Changed event) {
            return taken + event.by();
        }
    }

    @Test
    void freesASeatThatIsNotPaid() {
        var store = MemoryStore.create();
        try (var show = EntityTestKit.of(Show.definition(store))) {
            show.startReminders(store); // as Reminders.start does on a node
            assertEquals(1, show.ask(new Reserve(3)));
            show.advance(Duration.ofMinutes(15)); // the reminder is due, and its message is delivered
            assertEquals(0, show.ask(new Taken()));
        }
    }

    @Test
    void reportsToTheSum() {
        var sharding = TestSharding.create();
        try (var counter = EntityTestKit.of(EntityDefinition.of(COUNTER, id -> new Reporter(sharding)))) {
            counter.tell(new Add(2));
            assertEquals(List.of(new Add(2)), sharding.entityRef(COUNTER, "sum").received());
        }
    }

    @Test
    void theGuideShowsTheTestsThatRun() throws IOException {
        var tests = Path.of("src/test/java/io/shardbus/testkit");
        var source = Files.readString(tests.resolve("guide/GuideTest.java"))
                + Files.readString(tests.resolve("junit/ShardbusClusterIT.java"));
        var shown = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("docs/guides/testing.md")))
                .results()
                .map(match -> match.group(1))
                .toList();
        assertEquals(4, shown.size());
        shown.forEach(code -> assertTrue(packed(source).contains(packed(code)), code));
    }

    /** How lines are broken is the formatter's matter. */
    private static String packed(String code) {
        return code.replaceAll("\\s", "");
    }
}
