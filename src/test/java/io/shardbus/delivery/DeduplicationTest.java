package io.shardbus.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardbus.EntityDefinition;
import io.shardbus.ShardingException;
import io.shardbus.delivery.Purse.Close;
import io.shardbus.delivery.Purse.Command;
import io.shardbus.delivery.Purse.Event;
import io.shardbus.delivery.Purse.Put;
import io.shardbus.model.CommandId;
import io.shardbus.model.Deduplication;
import io.shardbus.model.FailureCode;
import io.shardbus.persistence.DurableState;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.Retention;
import io.shardbus.persistence.StateCodec;
import io.shardbus.store.memory.MemoryStore;
import io.shardbus.testkit.ClusterTestKit;
import io.shardbus.testkit.EntityTestKit;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("An entity whose type says how many commands it remembers")
class DeduplicationTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final Deduplication TWO = new Deduplication(2, 16 * 1024);

    private final MemoryStore store = MemoryStore.create();

    private static EventSourced<Command, Event, Long> events() {
        return EventSourced.of(Purse.TYPE, id -> new Purse(), EventCodec.json(Event.class));
    }

    /** Makes a type in a store. */
    interface Type extends BiFunction<MemoryStore, Deduplication, EntityDefinition<Command>> {}

    static Stream<Arguments> types() {
        Type plain = (to, window) -> events().withDeduplication(window).on(to);
        Type snapshots = (to, window) -> events().withDeduplication(window)
                .withSnapshots(StateCodec.json(Long.class), 2)
                .withRetention(Retention.afterSnapshots(0))
                .on(to);
        Type states = (to, window) -> DurableState.of(Purse.TYPE, id -> new SavedPurse(), StateCodec.json(Long.class))
                .withDeduplication(window)
                .on(to);
        return Stream.of(
                Arguments.of("events", plain),
                Arguments.of("snapshots without the events before them", snapshots),
                Arguments.of("durable state", states));
    }

    /** The command with this number puts one in. */
    private static long put(EntityTestKit<Command> purse, int number) {
        return ClusterTestKit.await(purse.ref().ask(new Put(1), new CommandId("k" + number, 1000 + number), SOON));
    }

    private static void assertTooOld(EntityTestKit<Command> purse, int number) {
        var refused = assertThrows(ShardingException.class, () -> put(purse, number));
        assertEquals(FailureCode.COMMAND_TOO_OLD, refused.code());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("types")
    @DisplayName("to be two keeps to it after its deletion")
    void twoAfterADeletion(String name, Type type) {
        try (var purse = EntityTestKit.of(type.apply(store, TWO))) {
            put(purse, 1);
            put(purse, 2);
            purse.ask(new Close());
            purse.passivate();
            assertEquals(1, put(purse, 1));
            assertEquals(1, put(purse, 3), "of the empty state");
            assertTooOld(purse, 1);
            assertEquals(2, put(purse, 2));
            assertEquals(1, purse.ask(new Put(0)));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("types")
    @DisplayName("forgets what is too much where the number was lowered, and executes none again where it was raised")
    void changed(String name, Type type) {
        try (var purse = EntityTestKit.of(type.apply(store, Deduplication.DEFAULT))) {
            for (int i = 1; i <= 10; i++) {
                put(purse, i);
            }
        }
        try (var lowered = EntityTestKit.of(type.apply(store, TWO))) {
            assertTooOld(lowered, 8);
            assertEquals(9, put(lowered, 9));
            assertEquals(11, put(lowered, 11));
            assertTooOld(lowered, 9);
        }
        try (var raised = EntityTestKit.of(type.apply(store, Deduplication.DEFAULT))) {
            assertEquals(11, put(raised, 11));
            assertEquals(10, put(raised, 10));
            assertEquals(11, raised.ask(new Put(0)));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("types")
    @DisplayName("has a bound of bytes, too, within which the last command is always known")
    void bytes(String name, Type type) {
        Deduplication window = new Deduplication(100, 2048);
        String key = "k".repeat(CommandId.LONGEST_KEY - 3);
        try (var purse = EntityTestKit.of(type.apply(store, window))) {
            for (int i = 100; i < 120; i++) {
                CommandId id = new CommandId(key + i, i);
                long answer = ClusterTestKit.await(purse.ref().ask(new Put(1), id, SOON));
                assertEquals(answer, ClusterTestKit.await(purse.ref().ask(new Put(1), id, SOON)));
            }
            var refused = assertThrows(
                    ShardingException.class,
                    () -> ClusterTestKit.await(purse.ref().ask(new Put(1), new CommandId(key + 100, 100), SOON)));
            assertEquals(FailureCode.COMMAND_TOO_OLD, refused.code());
            assertEquals(20, purse.ask(new Put(0)));
        }
    }
}
