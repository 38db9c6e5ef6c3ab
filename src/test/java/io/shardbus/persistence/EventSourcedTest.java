package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.ExecutionModel;
import io.shardbus.ShardingException;
import io.shardbus.integration.Await;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.StopReason;
import io.shardbus.persistence.Account.Balance;
import io.shardbus.persistence.Account.Close;
import io.shardbus.persistence.Account.Deposit;
import io.shardbus.persistence.Account.Deposited;
import io.shardbus.persistence.Account.Event;
import io.shardbus.persistence.Account.Last;
import io.shardbus.persistence.Account.Later;
import io.shardbus.persistence.Account.Message;
import io.shardbus.persistence.Account.Several;
import io.shardbus.persistence.Account.Withdraw;
import io.shardbus.persistence.spi.EventReader;
import io.shardbus.persistence.spi.LogOpening;
import io.shardbus.persistence.spi.SnapshotRow;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.persistence.spi.TypeSpec;
import io.shardbus.store.memory.MemoryStore;
import io.shardbus.testkit.EntityTestKit;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("An event-sourced entity")
class EventSourcedTest {
    private final MemoryStore store = MemoryStore.create();

    private static FailureCode codeOf(Runnable ask) {
        return assertThrows(ShardingException.class, ask::run).code();
    }

    @ParameterizedTest
    @EnumSource(StopReason.class)
    @DisplayName("PERS-01 has what it stored after each kind of stop")
    void survives(StopReason reason) {
        try (var account = EntityTestKit.of(Account.type().on(store))) {
            assertEquals(5, account.ask(new Deposit(5)));
            assertEquals(15, account.ask(new Several(List.of(3L, 7L))));
            assertEquals(11, account.ask(new Withdraw(4)));
            if (reason != StopReason.FAILURE) {
                account.restart(reason);
            }
            assertEquals(11, account.ask(new Balance()));
            assertEquals(4, account.ask(new Last()));
        }
        try (var account = EntityTestKit.of(Account.type().on(store))) {
            assertEquals(11, account.ask(new Balance()), "on another node");
        }
        try (var other = EntityTestKit.of(Account.type().on(store), "other")) {
            assertEquals(0, other.ask(new Balance()), "another entity");
        }
    }

    @Test
    @DisplayName("names the three stores where it gets none")
    void noStore() {
        var states = DurableState.of(Account.TYPE, id -> null, StateCodec.json(Long.class));
        for (Executable on : List.<Executable>of(() -> Account.type().on(null), () -> states.on(null))) {
            String text = assertThrows(NullPointerException.class, on).getMessage();
            for (String store : List.of("SqliteStore.create(", "PostgresStore.create(", "MemoryStore.create(")) {
                assertTrue(text.contains(store), text);
            }
        }
    }

    @Test
    @DisplayName("says that its log is closed where a newer layout of its type has begun")
    void sealed() {
        MemoryStore shared = MemoryStore.create();
        try (var account = EntityTestKit.of(Account.type().on(shared))) {
            account.ask(new Deposit(1));
            StoredType next = shared.register(
                            new TypeSpec(Account.TYPE.name(), TypeSpec.Model.EVENTS, 77, "another addressing"))
                    .result();
            shared.connect(null).open(List.of(new LogOpening(next, 0, new FencingToken(1, 1, 1))));
            String text = assertThrows(ShardingException.class, () -> account.ask(new Deposit(5)))
                    .getMessage();
            assertTrue(text.contains("is closed for good"), text);
        }
    }

    @Test
    @DisplayName("stores nothing of a command that it refuses, or that throws")
    void refuses() {
        try (var account = EntityTestKit.of(Account.type().on(store))) {
            account.ask(new Deposit(5));
            var refusal = assertThrows(ShardingException.class, () -> account.ask(new Withdraw(6)));
            assertEquals("INSUFFICIENT", refusal.entityCode());
            assertEquals(FailureCode.ENTITY_FAILED, codeOf(() -> account.ask(new Several(List.of(1L, -1L)))));
            assertEquals(1, account.ask(new Last()));
            assertEquals(5, account.ask(new Balance()));
        }
    }

    /** Answers with a text, though the commands ask for a number. */
    private static final class Mistaken extends Account {
        @Override
        public Effect<Event, Long> handle(Long balance, Message message, PersistenceContext<Message> context) {
            if (message instanceof Deposit deposit) {
                return persist(new Deposited(deposit.amount())).thenReply(now -> "now " + now);
            }
            return message instanceof Last ? reply("none") : super.handle(balance, message, context);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ExecutionModel.class,
            names = {"EVENT_LOOP", "WORKER"})
    @DisplayName("fails an ask with INVALID_ANSWER whose answer is of another class; the command is stored")
    void wrongAnswer(ExecutionModel execution) {
        var type = EventSourced.of(Account.TYPE, id -> new Mistaken(), EventCodec.json(Event.class));
        try (var account = EntityTestKit.of(type.on(store).withExecution(execution))) {
            var failure = assertThrows(ShardingException.class, () -> account.ask(new Deposit(5)));
            assertEquals(FailureCode.INVALID_ANSWER, failure.code());
            assertEquals(
                    "entity 'account/test' answered " + Deposit.class.getName()
                            + " with a java.lang.String; its Ask says java.lang.Long",
                    failure.getMessage());
            assertEquals(FailureCode.INVALID_ANSWER, codeOf(() -> account.ask(new Last())));
            assertEquals(5, account.ask(new Balance()));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ExecutionModel.class,
            names = {"EVENT_LOOP", "WORKER"})
    @DisplayName("decides on the thread of its definition, also after a decision made elsewhere")
    void decidesLater(ExecutionModel execution) {
        EntityDefinition<Message> definition = Account.type().on(store).withExecution(execution);
        try (var account = EntityTestKit.of(definition)) {
            account.ask(new Deposit(5));
            assertEquals(9, account.ask(new Later(4)));
            account.passivate();
            assertEquals(9, account.ask(new Balance()));
        }
    }

    @Test
    @DisplayName("begins anew after a deletion, and its numbers go on")
    void deletes() {
        var type = Account.type().withSnapshots(StateCodec.json(Long.class), 2);
        try (var account = EntityTestKit.of(type.on(store))) {
            account.ask(new Several(List.of(1L, 2L, 3L)));
            assertEquals(0, account.ask(new Close()));
            account.passivate();
            assertEquals(0, account.ask(new Balance()));
            assertEquals(4, account.ask(new Last()));
            assertEquals(8, account.ask(new Deposit(8)));
            account.passivate();
            assertEquals(8, account.ask(new Balance()));
        }
    }

    @Test
    @DisplayName("keeps void events until a projection has read them, and starts without those that are gone")
    void deletesWhatIsRead() {
        FencingToken token = new FencingToken(1, 1, 1);
        try (var account = EntityTestKit.of(Account.type().on(store))) {
            account.ask(new Several(List.of(1L, 2L, 3L)));
            int log = store.reader().logs(store.reader().type("account").result()).result().stream()
                    .filter(info -> info.end() > 0)
                    .findFirst()
                    .orElseThrow()
                    .log();
            store.offsets().claim("view", List.of(log), token);
            store.offsets().move("view", log, 0, 1, token);
            assertEquals(0, account.ask(new Close()));
            account.passivate();
            assertEquals(0, account.ask(new Balance()));
            assertEquals(List.of(2L, 3L, 4L), positions(log));

            store.offsets().move("view", log, 1, 4, token);
            account.passivate();
            assertEquals(0, account.ask(new Balance()));
            Await.until(() -> positions(log), () -> positions(log).equals(List.of(4L)));
        }
    }

    private List<Long> positions(int log) {
        return store
                .reader()
                .read(List.of(new EventReader.From(log, 0)), 100)
                .result()
                .getOrDefault(log, List.of())
                .stream()
                .map(EventReader.ReadRow::position)
                .toList();
    }

    @Test
    @DisplayName("starts from its snapshot, when the events before it are gone")
    void snapshots() {
        var type = Account.type()
                .withSnapshots(StateCodec.json(Long.class), 10)
                .withRetention(Retention.afterSnapshots(2));
        try (var account = EntityTestKit.of(type.on(store))) {
            for (int i = 0; i < 25; i++) {
                account.ask(new Deposit(1));
            }
            account.passivate();
            assertEquals(25, account.ask(new Balance()));
            assertEquals(25, account.ask(new Last()));
        }
        try (var account = EntityTestKit.of(Account.type().on(store))) {
            var failure = assertThrows(ShardingException.class, () -> account.ask(new Balance()));
            assertEquals(FailureCode.STATE_UNREADABLE, failure.code(), "without the codec of the snapshot");
            assertTrue(
                    failure.getMessage().contains("event 19 (Deposited, version 1) follows 0"), failure.getMessage());
        }
    }

    @Test
    @DisplayName("has a history of many pages")
    void longHistory() {
        try (var account = EntityTestKit.of(Account.type().on(store))) {
            List<Long> hundred = Collections.nCopies(100, 1L);
            for (int i = 0; i < 35; i++) {
                account.ask(new Several(hundred));
            }
            account.passivate();
            assertEquals(3500, account.ask(new Balance()));
        }
    }

    @Test
    @DisplayName("says which event it cannot read, and works when its codec knows it")
    void unreadable() {
        var renamed = EventCodec.json(Event.class).named(Deposited.class, "credited", 2);
        var newer = EventSourced.of(Account.TYPE, id -> new Account(), renamed);
        try (var account = EntityTestKit.of(newer.on(store))) {
            account.ask(new Deposit(5));
        }
        try (var account = EntityTestKit.of(Account.type().on(store))) {
            var failure = assertThrows(ShardingException.class, () -> account.ask(new Balance()));
            assertEquals(FailureCode.STATE_UNREADABLE, failure.code());
            assertTrue(
                    failure.getMessage().contains("account/test: event 1 (credited, version 2)"), failure.getMessage());
            assertEquals(FailureCode.STATE_UNREADABLE, codeOf(() -> account.ask(new Deposit(1))), "nothing is lost");
        }
        var reading = EventSourced.of(
                Account.TYPE,
                id -> new Account(),
                EventCodec.json(Event.class)
                        .named(Deposited.class, "deposited", 3)
                        .alias("credited", Deposited.class)
                        .upcast("credited", 2, json -> json.put("amount", json.getLong("amount") * 100)));
        try (var account = EntityTestKit.of(reading.on(store))) {
            assertEquals(500, account.ask(new Balance()));
        }
    }

    @Test
    @DisplayName("stores a snapshot when an effect without events asks for one, and none before its first event")
    void snapshotOfAReading() {
        EventSourcedEntity<Message, Event, Long> saving = new Account() {
            @Override
            public Effect<Event, Long> handle(Long balance, Message message, PersistenceContext<Message> context) {
                return message instanceof Last
                        ? this.reply(balance).thenSnapshot()
                        : super.handle(balance, message, context);
            }
        };
        var type = EventSourced.of(Account.TYPE, id -> saving, EventCodec.json(Event.class))
                .withSnapshots(StateCodec.json(Long.class), 100);
        try (var account = EntityTestKit.of(type.on(store))) {
            assertEquals(0, account.ask(new Last()));
            assertNull(snapshot());
            account.ask(new Deposit(5));
            assertEquals(5, account.ask(new Last()));
            assertEquals(1, Objects.requireNonNull(snapshot()).sequence());
            account.ask(new Several(List.of(1L, 2L)));
            assertEquals(1, Objects.requireNonNull(snapshot()).sequence());
            assertEquals(8, account.ask(new Last()));
            assertEquals("8", Objects.requireNonNull(snapshot()).payload().toString());
        }
    }

    private @Nullable SnapshotRow snapshot() {
        return store.connect(null)
                .load(new StoredType(1, 1), List.of("test"), 10)
                .result()
                .get(0)
                .snapshot();
    }

    @Test
    @DisplayName("stores nothing with a tag that would be read as two")
    void tags() {
        var tagged = Account.type().withTags(event -> Set.of("a\u001fb"));
        try (var account = EntityTestKit.of(tagged.on(store))) {
            assertEquals(FailureCode.ENTITY_FAILED, codeOf(() -> account.ask(new Deposit(5))));
            assertEquals(0, account.ask(new Last()));
        }
    }
}
