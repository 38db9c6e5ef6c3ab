package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ShardingException;
import io.shardbus.model.CommandId;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.ShardHash;
import io.shardbus.options.ShardingOptions;
import io.shardbus.options.SqliteOptions;
import io.shardbus.persistence.Account.Balance;
import io.shardbus.persistence.Account.Close;
import io.shardbus.persistence.Account.Deposit;
import io.shardbus.persistence.Account.Last;
import io.shardbus.persistence.Account.Later;
import io.shardbus.persistence.Account.Message;
import io.shardbus.persistence.Account.Several;
import io.shardbus.persistence.Account.Sure;
import io.shardbus.persistence.Account.Withdraw;
import io.shardbus.persistence.UnsteadyStore.Loss;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LogOpening;
import io.shardbus.persistence.spi.StoreException.Kind;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.testkit.EntityTestKit;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Commands of one entity that are under way at once")
class CommandsUnderWayTest {
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(11);

    private final UnsteadyStore store = new UnsteadyStore();
    private final AtomicInteger decided = new AtomicInteger();
    private EntityTestKit<Message> account = started(Account.type());

    private EntityTestKit<Message> started(EventSourced<Message, Account.Event, Long> type) {
        EntityTestKit<Message> kit = EntityTestKit.of(
                type.on(store).withAskTimeout(Duration.ofMinutes(1)).withStopTimeout(Duration.ofSeconds(1)));
        kit.ask(new Balance());
        return kit;
    }

    /** What a test adds to the decisions of an account. */
    private interface Addition {
        Effect<Account.Event, Long> to(Effect<Account.Event, Long> effect, PersistenceContext<Message> context);
    }

    /** Counts the commands that were decided on. */
    private EventSourced<Message, Account.Event, Long> counted() {
        return with((effect, context) -> {
            decided.incrementAndGet();
            return effect;
        });
    }

    private static EventSourced<Message, Account.Event, Long> with(Addition addition) {
        var codec = EventCodec.json(Account.Event.class);
        return EventSourced.of(
                Account.TYPE,
                id -> {
                    Account behind = new Account();
                    return new EventSourcedEntity<Message, Account.Event, Long>() {
                        @Override
                        public Long emptyState() {
                            return behind.emptyState();
                        }

                        @Override
                        public Effect<Account.Event, Long> handle(
                                Long state, Message command, PersistenceContext<Message> context) {
                            return addition.to(behind.handle(state, command, context), context);
                        }

                        @Override
                        public Long apply(Long state, Account.Event event) {
                            return behind.apply(state, event);
                        }
                    };
                },
                codec);
    }

    private void restart(EventSourced<Message, Account.Event, Long> type) {
        account.close();
        account = started(type);
        decided.set(0);
    }

    @AfterEach
    void close() {
        account.close();
    }

    private static FailureCode codeOf(Future<?> ask) {
        return ((ShardingException) ask.cause()).code();
    }

    private List<EventRow> events() {
        return store.events(new StoredType(1, 1), "test");
    }

    @ParameterizedTest(name = "other work waits on the lane: {0}")
    @ValueSource(booleans = {false, true})
    @DisplayName("are answered before a command that an action sends to the same entity then")
    void actions(boolean busy) {
        List<String> answers = new ArrayList<>();
        restart(with((effect, context) ->
                effect.events().isEmpty() || !context.id().equals("test")
                        ? effect
                        : effect.thenRun(balance -> {
                            if (busy) {
                                var other = context.entityRef("other");
                                CompletableFuture.runAsync(() -> other.tell(new Balance()))
                                        .join();
                            }
                            context.self().ask(new Balance()).onSuccess(sent -> answers.add("sent " + sent));
                        })));
        store.hold(true);
        account.asking(new Deposit(1)).onSuccess(deposit -> answers.add("deposit " + deposit));
        account.asking(new Balance()).onSuccess(read -> answers.add("read " + read));
        store.hold(false);
        account.awaitQuiet();
        assertEquals(List.of("deposit 1", "read 1", "sent 1"), answers);
    }

    @Test
    @DisplayName("are each decided on the state of those before, and answered with it when they are stored")
    void order() {
        store.hold(true);
        Future<Long> first = account.asking(new Deposit(1));
        Future<Long> second = account.asking(new Several(List.of(2L, 3L)));
        Future<Long> refused = account.asking(new Withdraw(7));
        Future<Long> balance = account.asking(new Balance());
        Future<Long> thrown = account.asking(new Deposit(-1));
        Future<Long> last = account.asking(new Last());
        Future<Long> closed = account.asking(new Close());
        Future<Long> again = account.asking(new Deposit(9));
        List<Future<Long>> all = List.of(first, second, refused, balance, thrown, last, closed, again);
        assertTrue(all.stream().noneMatch(Future::isComplete), "nothing that is not stored is seen");
        store.hold(false);
        account.awaitQuiet();
        assertEquals(1, first.result());
        assertEquals(6, second.result());
        assertEquals(FailureCode.ENTITY_FAILED, codeOf(refused));
        assertTrue(refused.cause().getMessage().contains("the balance is 6"), () -> "" + refused.cause());
        assertEquals(6, balance.result());
        assertEquals(FailureCode.ENTITY_FAILED, codeOf(thrown));
        assertEquals(3, last.result());
        assertEquals(0, closed.result());
        assertEquals(9, again.result());
        account.passivate();
        assertEquals(9, account.ask(new Balance()));
        assertEquals(5, account.ask(new Last()));
    }

    @Test
    @DisplayName("share a commit, and are no more than the window")
    void window() {
        restart(counted().withCommitWindow(3));
        store.hold(true);
        List<Future<Long>> asked = IntStream.range(0, 10)
                .mapToObj(i -> account.asking(new Deposit(1)))
                .toList();
        assertEquals(3, decided.get());
        store.hold(false);
        account.awaitQuiet();
        for (int i = 0; i < asked.size(); i++) {
            assertEquals(i + 1, asked.get(i).result());
        }
    }

    @Test
    @DisplayName("are one at a time with a window of 1")
    void one() {
        restart(counted().withCommitWindow(1));
        store.hold(true);
        account.asking(new Deposit(1));
        Future<Long> balance = account.asking(new Balance());
        assertEquals(1, decided.get());
        store.hold(false);
        account.awaitQuiet();
        assertEquals(1, balance.result());
    }

    @Test
    @DisplayName("are on their way in two batches, or as many as the store's options say")
    void batches() {
        store.hold(true);
        IntStream.range(0, 6).forEach(i -> account.asking(new Deposit(1)));
        assertEquals(2, store.held());
        store.hold(false);
        account.awaitQuiet();
        store.limits(new SqliteOptions().setCommitsInFlight(5).limits());
        restart(Account.type());
        store.hold(true);
        IntStream.range(0, 6).forEach(i -> account.asking(new Deposit(1)));
        assertEquals(5, store.held());
        store.hold(false);
        account.awaitQuiet();
        assertEquals(12, account.ask(new Balance()));
    }

    @Test
    @DisplayName("are one at a time while more bytes wait than half of what the store's options say")
    void queue() {
        Several large = new Several(Collections.nCopies(6_000, 1L));
        restart(counted());
        store.hold(true);
        account.asking(large);
        account.asking(large);
        assertEquals(2, decided.get());
        store.hold(false);
        account.awaitQuiet();
        store.limits(new SqliteOptions().setCommitQueueBytes(1 << 20).limits());
        restart(counted());
        store.hold(true);
        account.asking(large);
        Future<Long> next = account.asking(large);
        assertEquals(1, decided.get());
        store.hold(false);
        account.awaitQuiet();
        assertEquals(24_000, next.result());
    }

    @Test
    @DisplayName("wait behind a decision that comes later")
    void later() {
        store.hold(true);
        Future<Long> first = account.asking(new Deposit(1));
        Future<Long> second = account.asking(new Later(2));
        Future<Long> third = account.asking(new Deposit(4));
        store.hold(false);
        account.awaitQuiet();
        assertEquals(List.of(1L, 3L, 7L), List.of(first.result(), second.result(), third.result()));
    }

    @Test
    @DisplayName("are stored once when the connection is lost in the middle, whether calls were lost or answers")
    void lost() {
        for (Kind kind : List.of(Kind.UNREACHABLE, Kind.REPEAT)) {
            long before = account.ask(new Balance());
            store.hold(true);
            List<Future<Long>> asked = IntStream.range(0, 20)
                    .mapToObj(i -> account.asking(new Deposit(1)))
                    .toList();
            store.failHeld(kind);
            account.advance(PAUSE);
            account.awaitQuiet();
            for (int i = 0; i < asked.size(); i++) {
                assertEquals(before + i + 1, asked.get(i).result());
            }
        }
        store.lose(Loss.ANSWER);
        Future<Long> first = account.asking(new Deposit(1));
        Future<Long> second = account.asking(new Deposit(1));
        account.advance(PAUSE);
        assertEquals(List.of(41L, 42L), List.of(first.result(), second.result()));
        assertEquals(42, account.ask(new Last()));
    }

    @Test
    @DisplayName("fail as unknown where they were sent and as not stored behind it, with the reads between")
    void patience() {
        store.lose(Loss.ANSWER);
        Future<Long> sent = account.asking(new Deposit(5));
        store.cut(true);
        Future<Long> read = account.asking(new Balance());
        Future<Long> unsent = account.asking(new Deposit(7));
        Future<Long> behind = account.asking(new Balance());
        account.advance(PATIENCE);
        assertEquals(FailureCode.OUTCOME_UNKNOWN, codeOf(sent));
        assertEquals(FailureCode.STORE_UNAVAILABLE, codeOf(read));
        assertEquals(FailureCode.STORE_UNAVAILABLE, codeOf(unsent));
        assertEquals(FailureCode.STORE_UNAVAILABLE, codeOf(behind));
        store.cut(false);
        account.advance(Duration.ofSeconds(3));
        assertEquals(5, account.ask(new Balance()), "the first was stored, the others were not");
        assertEquals(8, account.ask(new Deposit(3)));
    }

    @Test
    @DisplayName("fail as unknown if they repeat one whose outcome is unknown")
    void repetition() {
        CommandId id = new CommandId("k", 1);
        store.lose(Loss.ANSWER);
        Future<Long> sent = deposit(id);
        store.cut(true);
        Future<Long> repeated = deposit(id);
        Future<Long> other = deposit(new CommandId("other", 1));
        account.advance(PATIENCE);
        assertEquals(FailureCode.OUTCOME_UNKNOWN, codeOf(sent));
        assertEquals(FailureCode.OUTCOME_UNKNOWN, codeOf(repeated), "the first may be stored");
        assertEquals(FailureCode.STORE_UNAVAILABLE, codeOf(other));
        store.cut(false);
        account.advance(Duration.ofSeconds(3));
        Future<Long> again = deposit(id);
        account.awaitQuiet();
        assertEquals(5, again.result(), "the first was stored");
        assertEquals(5, account.ask(new Balance()));
    }

    /** The command with this id has come to the entity when this returns. */
    private Future<Long> deposit(CommandId id) {
        Future<Long> answer = account.ref().ask(new Deposit(5), id, Duration.ofMinutes(1));
        account.advance(Duration.ofMillis(1));
        return answer;
    }

    @Test
    @DisplayName("fail behind a row that the store refuses: those before it are stored, and none behind it")
    void row() {
        store.hold(true);
        Future<Long> first = account.asking(new Deposit(1));
        store.hold(false);
        account.awaitQuiet();
        assertEquals(1, first.result());
        store.hold(true);
        Future<Long> refused = account.asking(new Deposit(5));
        Future<Long> behind = account.asking(new Deposit(7));
        Future<Long> read = account.asking(new Balance());
        store.failHeld(Kind.ROW_REFUSED);
        account.advance(PAUSE);
        assertEquals(FailureCode.ENTITY_FAILED, codeOf(refused));
        assertEquals(FailureCode.STORE_UNAVAILABLE, codeOf(behind));
        assertEquals(FailureCode.STORE_UNAVAILABLE, codeOf(read));
        assertEquals(3, account.ask(new Deposit(2)), "it was read again");
        assertEquals(2, events().size());
    }

    @Test
    @DisplayName("store nothing when another home has opened the log in the middle")
    void superseded() {
        account.ask(new Deposit(1));
        store.hold(true);
        Future<Long> sent = account.asking(new Deposit(2));
        Future<Long> alsoSent = account.asking(new Deposit(3));
        Future<Long> unsent = account.asking(new Deposit(4));
        openElsewhere();
        store.hold(false);
        account.advance(PAUSE);
        assertEquals(FailureCode.OUTCOME_UNKNOWN, codeOf(sent));
        assertTrue(List.of(FailureCode.OUTCOME_UNKNOWN, FailureCode.SUPERSEDED).contains(codeOf(alsoSent)));
        assertEquals(FailureCode.SUPERSEDED, codeOf(unsent));
        assertEquals(1, events().size());
    }

    private void openElsewhere() {
        int shard = ShardHash.shard("test", ShardingOptions.DEFAULT_NUMBER_OF_SHARDS);
        store.behind()
                .connect(null)
                .open(List.of(new LogOpening(new StoredType(1, 1), shard, new FencingToken(9, 1, 1))));
    }

    @Test
    @DisplayName("may be reads that the store confirms: without rows, in their order, and refused as others are")
    void confirmed() {
        assertEquals(0, account.ask(new Sure(0)), "of an empty log");
        store.hold(true);
        Future<Long> deposit = account.asking(new Deposit(2));
        Future<Long> read = account.asking(new Sure(0));
        Future<Long> refused = account.asking(new Sure(3));
        Future<Long> next = account.asking(new Deposit(3));
        assertFalse(read.isComplete());
        store.hold(false);
        account.awaitQuiet();
        assertEquals(List.of(2L, 2L, 5L), List.of(deposit.result(), read.result(), next.result()));
        assertEquals(FailureCode.ENTITY_FAILED, codeOf(refused));
        assertEquals(2, events().size());
    }

    @Test
    @DisplayName("answer a read that is to be confirmed only at home, and any other under the lease")
    void confirmedElsewhere() {
        account.ask(new Deposit(1));
        openElsewhere();
        assertEquals(1, account.ask(new Balance()));
        Future<Long> read = account.asking(new Sure(0));
        Future<Long> refusal = account.asking(new Sure(9));
        account.advance(PAUSE);
        assertEquals(FailureCode.SUPERSEDED, codeOf(read));
        assertEquals(FailureCode.SUPERSEDED, codeOf(refusal));
    }

    @Test
    @DisplayName("confirm a read again when its answer was lost, and fail it as unavailable, never as unknown")
    void confirmationLost() {
        account.ask(new Deposit(1));
        store.lose(Loss.ANSWER);
        Future<Long> read = account.asking(new Sure(0));
        account.advance(PAUSE);
        assertEquals(1, read.result());
        store.lose(Loss.ANSWER);
        Future<Long> late = account.asking(new Sure(0));
        store.cut(true);
        account.advance(PATIENCE);
        assertEquals(FailureCode.STORE_UNAVAILABLE, codeOf(late));
        store.cut(false);
        account.advance(Duration.ofSeconds(3));
        assertEquals(3, account.ask(new Deposit(2)));
    }

    @Test
    @DisplayName("are answered before the entity is put away, and what comes behind wakes the next instance")
    void passivation() {
        store.hold(true);
        Future<Long> first = account.asking(new Deposit(1));
        Future<Long> second = account.asking(new Deposit(2));
        assertTrue(account.isLive());
        assertFalse(first.isComplete());
        store.hold(false);
        account.passivate();
        assertEquals(List.of(1L, 3L), List.of(first.result(), second.result()));
        assertEquals(3, account.ask(new Balance()));
    }

    @Test
    @DisplayName("are answered before their shard moves")
    void move() {
        store.hold(true);
        Future<Long> first = account.asking(new Deposit(1));
        Future<Long> second = account.asking(new Deposit(2));
        store.hold(false);
        account.move();
        assertEquals(List.of(1L, 3L), List.of(first.result(), second.result()));
        assertEquals(3, account.ask(new Balance()));
    }

    @Test
    @DisplayName("have a window of 1 to 1,000")
    void limits() {
        assertThrows(IllegalArgumentException.class, () -> Account.type().withCommitWindow(0));
        assertThrows(IllegalArgumentException.class, () -> Account.type().withCommitWindow(1_001));
        assertEquals(16, Account.type().commitWindow());
        assertEquals(1_000, Account.type().withCommitWindow(1_000).commitWindow());
    }
}
