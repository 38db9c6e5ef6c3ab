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
import io.shardbus.testkit.EntityEffect.Started;
import io.shardbus.testkit.EntityEffect.Stopped;
import io.shardbus.testkit.EntityTestKit;
import io.shardbus.testkit.TestSharding;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
        assertEquals(3, shown.size());
        shown.forEach(code -> assertTrue(packed(source).contains(packed(code)), code));
    }

    /** How lines are broken is the formatter's matter. */
    private static String packed(String code) {
        return code.replaceAll("\\s", "");
    }
}
