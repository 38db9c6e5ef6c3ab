package io.shardbus.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Ask;
import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.codec.PayloadCodecs;
import io.shardbus.delivery.Purse.Close;
import io.shardbus.delivery.Purse.Command;
import io.shardbus.delivery.Purse.Event;
import io.shardbus.delivery.Purse.Long3;
import io.shardbus.delivery.Purse.Put;
import io.shardbus.delivery.Purse.Take;
import io.shardbus.model.CommandId;
import io.shardbus.model.Deduplication;
import io.shardbus.model.FailureCode;
import io.shardbus.persistence.DurableState;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.Retention;
import io.shardbus.persistence.StateCodec;
import io.shardbus.spi.PayloadCodec;
import io.shardbus.store.memory.MemoryStore;
import io.shardbus.testkit.ClusterTestKit;
import io.shardbus.testkit.EntityTestKit;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("An identified command")
class IdentifiedCommandsTest {
    private static final Duration SOON = Duration.ofSeconds(5);

    private final MemoryStore store = MemoryStore.create();

    private static EventSourced<Command, Event, Long> events() {
        return EventSourced.of(Purse.TYPE, id -> new Purse(), EventCodec.json(Event.class));
    }

    static Stream<Arguments> types() {
        Function<MemoryStore, EntityDefinition<Command>> plain = to -> events().on(to);
        Function<MemoryStore, EntityDefinition<Command>> snapshots =
                to -> events().withSnapshots(StateCodec.json(Long.class), 2)
                        .withRetention(Retention.afterSnapshots(0))
                        .on(to);
        Function<MemoryStore, EntityDefinition<Command>> states =
                to -> DurableState.of(Purse.TYPE, id -> new SavedPurse(), StateCodec.json(Long.class))
                        .on(to);
        return Stream.of(
                Arguments.of("events", plain),
                Arguments.of("snapshots without the events before them", snapshots),
                Arguments.of("durable state", states));
    }

    private static <R> R ask(EntityTestKit<Command> purse, Ask<R> command, String key) {
        return ask(purse, command, new CommandId(key, 1000));
    }

    private static <R> R ask(EntityTestKit<Command> purse, Ask<R> command, CommandId id) {
        Future<R> answer = purse.ref().ask(command, id, SOON);
        return ClusterTestKit.await(answer);
    }

    private static FailureCode refusal(Runnable ask) {
        return assertThrows(ShardingException.class, ask::run).code();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("types")
    @DisplayName("has one effect and one answer, also after the instance has gone")
    void takesEffectOnce(String name, Function<MemoryStore, EntityDefinition<Command>> type) {
        try (var purse = EntityTestKit.of(type.apply(store))) {
            assertEquals(5, ask(purse, new Put(5), "a"));
            assertEquals(5, ask(purse, new Put(5), "a"));
            assertEquals(8, ask(purse, new Put(3), "b"));
            assertEquals(5, ask(purse, new Put(5), "a"), "the first answer");
            purse.passivate();
            assertEquals(5, ask(purse, new Put(5), "a"), "the first answer, from the store");
            assertEquals(9, purse.ask(new Put(1)), "a command without an id");
            purse.passivate();
            assertEquals(8, ask(purse, new Put(3), "b"));
        }
        try (var elsewhere = EntityTestKit.of(type.apply(store))) {
            assertEquals(5, ask(elsewhere, new Put(5), "a"), "on another node");
            assertEquals(9, elsewhere.ask(new Put(0)));
        }
    }

    static Stream<Arguments> windows() {
        Function<Deduplication, Function<MemoryStore, EntityDefinition<Command>>> events =
                window -> to -> events().withDeduplication(window).on(to);
        Function<Deduplication, Function<MemoryStore, EntityDefinition<Command>>> snapshots =
                window -> to -> events().withSnapshots(StateCodec.json(Long.class), 3)
                        .withDeduplication(window)
                        .withRetention(Retention.afterSnapshots(0))
                        .on(to);
        Function<Deduplication, Function<MemoryStore, EntityDefinition<Command>>> states =
                window -> to -> DurableState.of(Purse.TYPE, id -> new SavedPurse(), StateCodec.json(Long.class))
                        .withDeduplication(window)
                        .on(to);
        return Stream.of(
                Arguments.of("events", events),
                Arguments.of("snapshots without the events before them", snapshots),
                Arguments.of("durable state", states));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("windows")
    @DisplayName("is known for as long as the type's window says, and refused after that, never executed again")
    void windowOfTheType(
            String name, Function<Deduplication, Function<MemoryStore, EntityDefinition<Command>>> windowed) {
        try (var purse = EntityTestKit.of(
                windowed.apply(new Deduplication(300, 64 * 1024)).apply(store))) {
            for (int i = 1; i <= 200; i++) {
                assertEquals(i, ask(purse, new Put(1), new CommandId("k" + i, i)));
            }
            purse.passivate();
            assertEquals(1, ask(purse, new Put(1), new CommandId("k1", 1)), "the first answer");
        }
        try (var purse =
                EntityTestKit.of(windowed.apply(new Deduplication(2, 2048)).apply(store))) {
            assertEquals(200, ask(purse, new Put(1), new CommandId("k200", 200)));
            assertEquals(
                    FailureCode.COMMAND_TOO_OLD, refusal(() -> ask(purse, new Put(1), new CommandId("k198", 198))));
            assertEquals(201, ask(purse, new Put(1), new CommandId("k201", 201)));
            purse.passivate();
            assertEquals(
                    FailureCode.COMMAND_TOO_OLD, refusal(() -> ask(purse, new Put(1), new CommandId("k199", 199))));
            assertEquals(201, purse.ask(new Put(0)));
        }
    }

    @Test
    @DisplayName("is remembered within bounds")
    void boundsOfAWindow() {
        assertEquals(new Deduplication(128, 16_384), events().deduplication());
        assertThrows(IllegalArgumentException.class, () -> new Deduplication(0, 16_384));
        assertThrows(IllegalArgumentException.class, () -> new Deduplication(10_001, 16_384));
        assertThrows(IllegalArgumentException.class, () -> new Deduplication(10, 2_047));
        assertThrows(IllegalArgumentException.class, () -> new Deduplication(10, 1_048_577));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("types")
    @DisplayName("is known after a deletion, which has taken its event")
    void survivesADeletion(String name, Function<MemoryStore, EntityDefinition<Command>> type) {
        try (var purse = EntityTestKit.of(type.apply(store))) {
            assertEquals(5, ask(purse, new Put(5), "a"));
            assertEquals(0, ask(purse, new Close(), "close"));
            purse.passivate();
            assertEquals(5, ask(purse, new Put(5), "a"));
            assertEquals(0, ask(purse, new Close(), "close"));
            assertEquals(7, ask(purse, new Put(7), "b"));
            purse.passivate();
            assertEquals(5, ask(purse, new Put(5), "a"));
            assertEquals(7, purse.ask(new Put(0)));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("types")
    @DisplayName("is refused when its id was another command's")
    void reused(String name, Function<MemoryStore, EntityDefinition<Command>> type) {
        try (var purse = EntityTestKit.of(type.apply(store))) {
            ask(purse, new Put(5), "a");
            purse.passivate();
            assertEquals(FailureCode.COMMAND_ID_REUSED, refusal(() -> ask(purse, new Put(6), "a")));
            assertEquals(FailureCode.COMMAND_ID_REUSED, refusal(() -> ask(purse, new Take(5), "a")));
            assertEquals(5, purse.ask(new Put(0)));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("types")
    @DisplayName("is refused when the entity has forgotten commands of its age, never executed again")
    void tooOld(String name, Function<MemoryStore, EntityDefinition<Command>> type) {
        try (var purse = EntityTestKit.of(type.apply(store))) {
            for (int i = 0; i < 130; i++) {
                ask(purse, new Put(1), new CommandId("k" + i, 1000 + i));
            }
            purse.passivate();
            var refused =
                    assertThrows(ShardingException.class, () -> ask(purse, new Put(1), new CommandId("k1", 1001)));
            assertEquals(FailureCode.COMMAND_TOO_OLD, refused.code());
            assertTrue(refused.getMessage().contains("up to 1001"), refused.getMessage());
            assertEquals(3, ask(purse, new Put(1), new CommandId("k2", 1002)), "still in the window");
            assertEquals(130, purse.ask(new Put(0)));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("types")
    @DisplayName("that was refused is judged anew, for it left no effect")
    void refusedIsJudgedAnew(String name, Function<MemoryStore, EntityDefinition<Command>> type) {
        try (var purse = EntityTestKit.of(type.apply(store))) {
            assertEquals(FailureCode.ENTITY_FAILED, refusal(() -> ask(purse, new Take(4), "take")));
            purse.ask(new Put(10));
            assertEquals(6, ask(purse, new Take(4), "take"));
            assertEquals(6, ask(purse, new Take(4), "take"));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("types")
    @DisplayName("whose answer was over 1 KiB is answered null when it is repeated")
    void longAnswer(String name, Function<MemoryStore, EntityDefinition<Command>> type) {
        try (var purse = EntityTestKit.of(type.apply(store))) {
            assertEquals(3000, ask(purse, new Long3(), "long").length());
            assertNull(ask(purse, new Long3(), "long"));
            assertEquals(1, purse.ask(new Put(0)));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("types")
    @DisplayName("of a moment far ahead is refused, so that it cannot block those of the present")
    void tooEarly(String name, Function<MemoryStore, EntityDefinition<Command>> type) {
        try (var purse = EntityTestKit.of(type.apply(store))) {
            long soon = System.currentTimeMillis() + CommandId.MOST_AHEAD_MS / 2;
            long late = System.currentTimeMillis() + 2 * CommandId.MOST_AHEAD_MS;
            assertEquals(1, ask(purse, new Put(1), new CommandId("soon", soon)));
            assertEquals(
                    FailureCode.COMMAND_TOO_EARLY, refusal(() -> ask(purse, new Put(1), new CommandId("late", late))));
            purse.passivate();
            assertEquals(1, purse.ask(new Put(0)));
            assertEquals(1, ask(purse, new Put(1), new CommandId("soon", soon)));
        }
    }

    /** Writes messages as another build does: with its number behind them. */
    private record OtherBuild(PayloadCodec<Command> plain, String version) implements PayloadCodec<Command> {
        OtherBuild(String version) {
            this(PayloadCodecs.forType(Purse.TYPE), version);
        }

        @Override
        public String name() {
            return "other";
        }

        @Override
        public boolean accepts(Object message) {
            return plain.accepts(message);
        }

        @Override
        public void encode(Object value, Buffer out) {
            plain.encode(value, out);
            out.appendByte(Byte.parseByte(version));
        }

        @Override
        public Object decode(Buffer in, int start, int end) {
            return plain.decode(in, start, end - 1);
        }
    }

    @Test
    @DisplayName("that was executed by a build which writes it otherwise is a repetition")
    void otherBuild() {
        try (var purse = EntityTestKit.of(events().on(store).withCodec(new OtherBuild("1")))) {
            assertEquals(5, ask(purse, new Put(5), "a"));
            purse.passivate();
            assertEquals(FailureCode.COMMAND_ID_REUSED, refusal(() -> ask(purse, new Put(6), "a")));
        }
        try (var purse = EntityTestKit.of(events().on(store).withCodec(new OtherBuild("2")))) {
            assertEquals(5, ask(purse, new Put(5), "a"));
            assertEquals(8, ask(purse, new Put(3), "b"));
            assertEquals(FailureCode.COMMAND_ID_REUSED, refusal(() -> ask(purse, new Put(4), "b")));
        }
    }

    @Test
    @DisplayName("has an id that the entity sees")
    void seen() {
        try (var purse = EntityTestKit.of(events().on(store))) {
            assertEquals("1000:a", ask(purse, new Purse.Id(), "a"));
            assertEquals("none", purse.ask(new Purse.Id()));
        }
    }

    record Hello() implements Ask<String> {}

    @Test
    @DisplayName("is not executed by an entity that stores nothing")
    void plainEntity() {
        EntityType<Hello> type = EntityType.of("plain", Hello.class);
        int[] executed = {0};
        Entity<Hello> entity = new Entity<>() {
            @Override
            public Future<?> receive(Hello message, EntityContext<Hello> context) {
                executed[0]++;
                return Future.succeededFuture("hello");
            }
        };
        try (var plain = EntityTestKit.of(EntityDefinition.of(type, id -> entity))) {
            var refused = assertThrows(
                    ShardingException.class,
                    () -> ClusterTestKit.await(plain.ref().ask(new Hello(), new CommandId("a", 1), SOON)));
            assertEquals(FailureCode.DELIVERY_REFUSED, refused.code());
            assertTrue(refused.getMessage().contains("make the type persistent"), refused.getMessage());
            assertEquals(0, executed[0]);
        }
    }

    @Test
    @DisplayName("has an id of a key and a moment, which is refused when it is none")
    void ids() {
        CommandId id = new CommandId("pay:4711", 1_700_000_000_000L);
        assertEquals(id, CommandId.parse(id.toString()));
        for (String wrong : new String[] {"", "a", ":a", "x:a", "5:", "-1:a", "5:" + "k".repeat(201), "5:a\nb"}) {
            assertThrows(IllegalArgumentException.class, () -> CommandId.parse(wrong), wrong);
        }
    }
}
