package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ShardingException;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.ShardHash;
import io.shardbus.options.ShardingOptions;
import io.shardbus.persistence.Account.Balance;
import io.shardbus.persistence.Account.Deposit;
import io.shardbus.persistence.Account.Last;
import io.shardbus.persistence.Account.Message;
import io.shardbus.persistence.Account.Several;
import io.shardbus.persistence.UnsteadyStore.Loss;
import io.shardbus.persistence.spi.LogOpening;
import io.shardbus.persistence.spi.StoreException.Kind;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.testkit.EntityTestKit;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An entity whose store fails")
class FailingStoreTest {
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(11);

    private final UnsteadyStore store = new UnsteadyStore();
    private final EntityTestKit<Message> account = EntityTestKit.of(
            Account.type().on(store).withAskTimeout(Duration.ofMinutes(1)).withStopTimeout(Duration.ofSeconds(1)));

    @AfterEach
    void close() {
        account.close();
    }

    private static FailureCode codeOf(Future<?> ask) {
        return ((ShardingException) ask.cause()).code();
    }

    @ParameterizedTest
    @EnumSource(
            value = Loss.class,
            names = {"CALL", "ANSWER"})
    @DisplayName("answers once what it stored once, whether the call was lost or the answer")
    void lost(Loss loss) {
        account.ask(new Deposit(1));
        store.lose(loss);
        Future<Long> late = account.asking(new Deposit(5));
        assertFalse(late.isComplete());
        account.advance(PAUSE);
        assertEquals(6, late.result());
        assertEquals(2, account.ask(new Last()));
        account.passivate();
        assertEquals(6, account.ask(new Balance()));
    }

    @Test
    @DisplayName("fails what was sent as unknown and the next at once, and goes on with what is stored")
    void patience() {
        account.ask(new Deposit(1));
        store.lose(Loss.ANSWER);
        Future<Long> sent = account.asking(new Deposit(5));
        store.cut(true);
        account.advance(PATIENCE);
        assertEquals(FailureCode.OUTCOME_UNKNOWN, codeOf(sent));
        Future<Long> refused = account.asking(new Deposit(7));
        assertEquals(FailureCode.STORE_UNAVAILABLE, codeOf(refused), "at once");
        store.cut(false);
        account.advance(Duration.ofSeconds(3));
        assertEquals(6, account.ask(new Balance()), "the first was stored, the second was not");
        assertEquals(9, account.ask(new Deposit(3)));
    }

    @Test
    @DisplayName("waits for as long as the store's patience")
    void shortPatience() {
        store.patience(1_000);
        account.ask(new Deposit(1));
        store.cut(true);
        store.lose(Loss.CALL);
        Future<Long> sent = account.asking(new Deposit(5));
        account.advance(Duration.ofMillis(900));
        assertFalse(sent.isComplete());
        account.advance(Duration.ofMillis(200));
        assertEquals(FailureCode.OUTCOME_UNKNOWN, codeOf(sent));
        store.cut(false);
        account.advance(Duration.ofSeconds(3));
        assertEquals(1, account.ask(new Balance()));
    }

    @Test
    @DisplayName("waits for a store that is not there when it starts, and then fails with STORE_UNAVAILABLE")
    void absent() {
        store.cut(true);
        Future<Long> asked = account.asking(new Balance());
        account.advance(Duration.ofSeconds(5));
        assertFalse(asked.isComplete());
        account.advance(PATIENCE);
        assertEquals(FailureCode.STORE_UNAVAILABLE, codeOf(asked));
        store.cut(false);
        account.advance(Duration.ofSeconds(3));
        assertEquals(0, account.ask(new Balance()));
    }

    @Test
    @DisplayName("fails the command whose row the store refuses, and no other")
    void row() {
        account.ask(new Deposit(1));
        store.lose(Loss.ROW);
        Future<Long> refused = account.asking(new Deposit(5));
        account.advance(PAUSE);
        assertEquals(FailureCode.ENTITY_FAILED, codeOf(refused));
        assertEquals(3, account.ask(new Deposit(2)));
    }

    @Test
    @DisplayName("stores nothing when another home has opened the log")
    void zombie() {
        account.ask(new Deposit(1));
        var type = new StoredType(1, 1);
        int shard = ShardHash.shard("test", ShardingOptions.DEFAULT_NUMBER_OF_SHARDS);
        var newer = new LogOpening(type, shard, new FencingToken(9, 1, 1));
        store.behind().connect(null).open(List.of(newer));
        Future<Long> zombie = account.asking(new Deposit(5));
        account.advance(PAUSE);
        assertEquals(FailureCode.OUTCOME_UNKNOWN, codeOf(zombie));
        Future<Long> next = account.asking(new Deposit(5));
        assertEquals(FailureCode.SUPERSEDED, codeOf(next));
        assertEquals(1, store.events(type, "test").size());
    }

    @Test
    @DisplayName("is refused when it cannot be read for long, while its log stays open")
    void neverRead() {
        store.fail("load", Kind.REPEAT, Integer.MAX_VALUE);
        Future<Long> asked = account.asking(new Balance());
        account.advance(Duration.ofSeconds(5));
        assertFalse(asked.isComplete());
        for (int i = 0; i < 30; i++) {
            account.advance(Duration.ofSeconds(1));
        }
        assertEquals(FailureCode.STORE_UNAVAILABLE, codeOf(asked));
        assertEquals(1, store.openings());
        store.fail("load", Kind.REPEAT, 0);
        assertEquals(0, account.ask(new Balance()));
    }

    @Test
    @DisplayName("recovers a long history when the connection is lost between two pages")
    void page() {
        for (int i = 0; i < 20; i++) {
            account.ask(new Several(Collections.nCopies(100, 1L)));
        }
        account.passivate();
        store.fail("loadEvents", Kind.UNREACHABLE, 3);
        Future<Long> asked = account.asking(new Balance());
        account.advance(Duration.ofSeconds(2));
        assertEquals(2000, asked.result());
    }

    @Test
    @DisplayName("with a snapshot that cannot be read is unreadable only where its events are")
    void snapshot() {
        var type = Account.type().withSnapshots(StateCodec.json(Long.class), 2);
        try (var writer = EntityTestKit.of(type.on(store))) {
            writer.ask(new Several(List.of(1L, 2L, 3L)));
        }
        store.fail("loadEvents", Kind.UNREACHABLE, 3);
        Future<Long> asked = account.asking(new Balance());
        account.advance(Duration.ofSeconds(2));
        assertEquals(6, asked.result());
    }

    @ParameterizedTest
    @ValueSource(strings = {"start", "open", "load", "append"})
    @DisplayName("goes on where a call of the store throws, though it should fail")
    void thrown(String method) {
        store.throwAt(method);
        Future<Long> asked = account.asking(new Deposit(5));
        account.advance(Duration.ofSeconds(1));
        assertEquals(5, asked.result());
        assertTrue(account.counters().get("store_failures") > 0);
    }

    @Test
    @DisplayName("stores its next snapshot where the call for the last one has thrown")
    void thrownAtASnapshot() {
        var type = Account.type().withSnapshots(StateCodec.json(Long.class), 1);
        try (var saving = EntityTestKit.of(type.on(store))) {
            store.throwAt("saveSnapshots");
            saving.ask(new Deposit(5));
            saving.ask(new Deposit(6));
            assertEquals(
                    2, store.stored(new StoredType(1, 1), "test").snapshot().sequence());
        }
    }
}
