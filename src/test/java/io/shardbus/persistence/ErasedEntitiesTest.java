package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Ask;
import io.shardbus.ClusterSharding;
import io.shardbus.Entity;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ExecutionModel;
import io.shardbus.ShardingException;
import io.shardbus.integration.Await;
import io.shardbus.model.CommandId;
import io.shardbus.model.FailureCode;
import io.shardbus.options.ShardingOptions;
import io.shardbus.persistence.Account.Balance;
import io.shardbus.persistence.Account.Deposit;
import io.shardbus.persistence.Account.Event;
import io.shardbus.persistence.Account.Last;
import io.shardbus.persistence.spi.LoadedEntity;
import io.shardbus.persistence.spi.StoreException.Kind;
import io.shardbus.persistence.spi.TypeSpec;
import io.shardbus.projection.Projection;
import io.shardbus.projection.ProjectionHandler;
import io.shardbus.projection.Projections;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("An entity that is erased")
class ErasedEntitiesTest {
    private static final Duration SOON = Duration.ofSeconds(5);

    private final UnsteadyStore store = new UnsteadyStore();
    private Vertx vertx = Vertx.vertx();
    private ClusterSharding sharding = start();

    private ClusterSharding start() {
        return ClusterSharding.create(vertx, new ShardingOptions().setAwaitPredecessorLeases(false));
    }

    /** The process ends, and another one begins with other code. */
    private void replaceBy(EntityDefinition<?> definition) {
        Await.result(vertx.close());
        vertx = Vertx.vertx();
        sharding = start();
        Await.result(sharding.start(definition));
    }

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    private <R> R ask(Ask<R> message) {
        return ClusterTestKit.await(sharding.entityRef(Account.TYPE, "a").ask(message));
    }

    private boolean isBalance(long expected) {
        Future<Long> asked = sharding.entityRef(Account.TYPE, "a").ask(new Balance());
        Await.until(() -> "no answer", asked::isComplete);
        return asked.succeeded() && asked.result() == expected;
    }

    private Long deposit(int number) {
        CommandId id = new CommandId("k" + number, 1000 + number);
        return ClusterTestKit.await(sharding.entityRef(Account.TYPE, "a").ask(new Deposit(number), id, SOON));
    }

    private void erase() {
        ClusterTestKit.await(sharding.operations().erase("account", "a"));
    }

    private FailureCode refusal(String type) {
        return assertThrows(
                        ShardingException.class,
                        () -> ClusterTestKit.await(sharding.operations().erase(type, "a")))
                .code();
    }

    @ParameterizedTest
    @EnumSource(
            value = ExecutionModel.class,
            names = {"EVENT_LOOP", "WORKER"})
    @DisplayName("starts from the empty state, its sequence numbers go on")
    void starts(ExecutionModel execution) {
        Await.result(sharding.start(Account.type().on(store).withExecution(execution)));
        ask(new Deposit(5));
        Future<Long> before = sharding.entityRef(Account.TYPE, "a").ask(new Deposit(1));
        erase();
        assertEquals(6, ClusterTestKit.await(before));
        assertEquals(0, ask(new Balance()));
        assertEquals(2, ask(new Deposit(2)));
        assertEquals(4, ask(new Last()), "two deposits, the end, and this one");
        replaceBy(Account.type().on(store));
        assertEquals(2, ask(new Balance()));
    }

    @Test
    @DisplayName("has no events and no snapshot in the store, and a projection hears of it")
    void nothingIsLeft() {
        List<String> seen = new CopyOnWriteArrayList<>();
        Await.result(sharding.start(
                Account.type().withSnapshots(StateCodec.json(Long.class), 2).on(store)));
        for (int i = 0; i < 5; i++) {
            ask(new Deposit(1));
        }
        erase();
        ask(new Deposit(7));
        replaceBy(Account.type().on(store));
        assertEquals(7, ask(new Balance()), "without the codec of the snapshot, so there is none");
        ProjectionHandler<Event> handler = ProjectionHandler.each(event -> {
            seen.add(event.isDeletion() ? "deleted" : String.valueOf(event.event()));
            return Future.succeededFuture();
        });
        Await.result(Projections.create(vertx, sharding, store)
                .start(Projection.of("seen", Account.type(), handler).withPollInterval(10)));
        Await.until(seen::toString, () -> seen.equals(List.of("deleted", "Deposited[amount=7]")));
    }

    @Test
    @DisplayName("executes no command again, and has forgotten what it answered")
    void commands() {
        Await.result(sharding.start(Account.type().on(store)));
        assertEquals(1, deposit(1));
        assertEquals(1, deposit(1));
        erase();
        assertNull(deposit(1));
        assertEquals(0, ask(new Balance()));
        assertEquals(2, deposit(2));
        replaceBy(Account.type().on(store));
        assertNull(deposit(1));
        assertEquals(2, deposit(2));
        assertEquals(2, ask(new Balance()));
    }

    /** Writes events that the usual code cannot read. */
    private void startOtherCode() {
        var renamed = EventCodec.json(Event.class).named(Account.Deposited.class, "credited", 2);
        Await.result(sharding.start(
                EventSourced.of(Account.TYPE, id -> new Account(), renamed).on(store)));
    }

    @Test
    @DisplayName("is erased also where its code cannot read its events, and serves again")
    void unreadableEvents() {
        startOtherCode();
        ask(new Deposit(5));
        ask(new Deposit(6));
        replaceBy(Account.type().on(store));
        var failure = assertThrows(ShardingException.class, () -> ask(new Balance()));
        assertEquals(FailureCode.STATE_UNREADABLE, failure.code());
        assertTrue(failure.getMessage().contains("event 1 (credited, version 2)"), failure.getMessage());
        erase();
        assertEquals(0, ask(new Balance()));
        assertEquals(3, ask(new Deposit(3)));
        assertEquals(4, ask(new Last()));
    }

    @Test
    @DisplayName("serves again also where its unreadable events are still stored behind the end of them")
    void unreadableEventsThatStay() {
        startOtherCode();
        ask(new Deposit(5));
        replaceBy(Account.type().on(store));
        store.fail("delete", Kind.UNREACHABLE, 1);
        assertEquals(FailureCode.STORE_UNAVAILABLE, refusal("account"));
        assertEquals(0, ask(new Balance()));
        erase();
        replaceBy(Account.type().on(store));
        assertEquals(0, ask(new Balance()));
    }

    @Test
    @DisplayName("executes no command again whose event its code cannot read")
    void commandsOfUnreadableEvents() {
        startOtherCode();
        assertEquals(1, deposit(1));
        assertEquals(3, deposit(2));
        replaceBy(Account.type().on(store));
        erase();
        assertNull(deposit(1));
        assertNull(deposit(2));
        assertEquals(0, ask(new Balance()));
    }

    @Test
    @DisplayName("executes no command again that only a snapshot knows which its code cannot read")
    void commandsOfUnreadableSnapshots() {
        Await.result(sharding.start(Account.type()
                .withSnapshots(StateCodec.json(Long.class), 2)
                .withRetention(Retention.afterSnapshots(0))
                .on(store)));
        for (int i = 1; i <= 3; i++) {
            deposit(i);
        }
        replaceBy(Account.type().on(store));
        var failure = assertThrows(ShardingException.class, () -> ask(new Balance()));
        assertEquals(FailureCode.STATE_UNREADABLE, failure.code());
        erase();
        for (int i = 1; i <= 3; i++) {
            assertNull(deposit(i));
        }
        assertEquals(0, ask(new Balance()));
    }

    @Test
    @DisplayName("leaves no snapshot that the code of the next start cannot read")
    void unreadableSnapshotThatStays() {
        Await.result(sharding.start(
                Account.type().withSnapshots(StateCodec.json(Long.class), 2).on(store)));
        ask(new Deposit(1));
        ask(new Deposit(1));
        store.fail("delete", Kind.UNREACHABLE, 1);
        assertEquals(FailureCode.STORE_UNAVAILABLE, refusal("account"));
        replaceBy(Account.type().on(store));
        assertEquals(0, ask(new Balance()));
        LoadedEntity left = stored();
        assertNull(left.snapshot());
        assertEquals(1, left.events().size(), "the row without a state");
    }

    private LoadedEntity stored() {
        TypeSpec spec = new TypeSpec("account", TypeSpec.Model.EVENTS, 1, "");
        return store.stored(Await.result(store.behind().register(spec)), "a");
    }

    @Test
    @DisplayName("is not said to be dropped where the log was opened anew before that")
    void deletionIsRefused() {
        Await.result(sharding.start(Account.type().on(store)));
        ask(new Deposit(5));
        store.refuseDeletion();
        assertEquals(FailureCode.STORE_UNAVAILABLE, refusal("account"));
        assertEquals(0, ask(new Balance()));
        erase();
        assertEquals(1, stored().events().size());
    }

    @Test
    @DisplayName("is erased also where a class is missing that its events need")
    void missingClass() {
        Await.result(sharding.start(Account.type().on(store)));
        ask(new Deposit(5));
        EventCodec<Event> lacking = EventCodec.json(Event.class)
                .named(Account.Deposited.class, "Deposited", 2)
                .upcast("Deposited", 1, json -> {
                    throw new NoClassDefFoundError("accounts/Money");
                });
        replaceBy(EventSourced.of(Account.TYPE, id -> new Account(), lacking).on(store));
        var failure = assertThrows(ShardingException.class, () -> ask(new Balance()));
        assertEquals(FailureCode.STATE_UNREADABLE, failure.code());
        erase();
        assertEquals(0, ask(new Balance()));
    }

    @Test
    @DisplayName("keeps its state where the store does not confirm it")
    void storeFails() {
        store.patience(300);
        Await.result(sharding.start(Account.type().on(store)));
        ask(new Deposit(5));
        store.cut(true);
        assertEquals(FailureCode.OUTCOME_UNKNOWN, refusal("account"));
        store.cut(false);
        Await.until(() -> "no balance of 5", () -> isBalance(5));
        erase();
        assertEquals(0, ask(new Balance()));
    }

    @Test
    @DisplayName("that has stored nothing is not said to be erased before the store confirms that")
    void emptyIsConfirmed() {
        store.patience(300);
        Await.result(sharding.start(Account.type().on(store)));
        assertEquals(0, ask(new Balance()));
        store.cut(true);
        assertEquals(FailureCode.STORE_UNAVAILABLE, refusal("account"));
        store.cut(false);
        Await.until(() -> "no balance", () -> isBalance(0));
        erase();
    }

    @Test
    @DisplayName("that has stored nothing stores nothing")
    void empty() {
        Await.result(sharding.start(Account.type().on(store)));
        erase();
        assertEquals(0, ask(new Balance()));
        assertEquals(0, ask(new Last()));
    }

    @Test
    @DisplayName("may have a durable state, also one that its code cannot read")
    void durable() {
        Await.result(sharding.start(Saved.type(1).on(store)));
        assertEquals("one", saved("one"));
        assertEquals("two", saved("two"));
        ClusterTestKit.await(sharding.operations().erase("saved", "a"));
        assertEquals("three", saved("three"));
        replaceBy(Saved.type(2).on(store));
        assertEquals(
                FailureCode.STATE_UNREADABLE,
                assertThrows(ShardingException.class, () -> saved("four")).code());
        ClusterTestKit.await(sharding.operations().erase("saved", "a"));
        assertEquals("five", saved("five"));
    }

    private String saved(String text) {
        return ClusterTestKit.await(sharding.entityRef(Saved.TYPE, "a").request(text, String.class, SOON));
    }

    @Test
    @DisplayName("must be of a type that stores something")
    void plain() {
        EntityType<String> type = EntityType.of("plain", String.class);
        Entity<String> entity = (message, context) -> Future.succeededFuture(message);
        Await.result(sharding.start(EntityDefinition.of(type, id -> entity)));
        assertEquals(FailureCode.NOT_APPLICABLE, refusal("plain"));
        assertEquals("here", ClusterTestKit.await(sharding.entityRef(type, "a").request("here", String.class, SOON)));
        assertEquals(FailureCode.UNKNOWN_TYPE, refusal("none"));
    }

    /** Saves the last text. */
    private static final class Saved implements DurableStateEntity<String, String> {
        static final EntityType<String> TYPE = EntityType.of("saved", String.class);

        /** @param version of its codec, which reads no other */
        static DurableState<String, String> type(int version) {
            return DurableState.of(TYPE, id -> new Saved(), new OneVersion(version));
        }

        @Override
        public String emptyState() {
            return "";
        }

        @Override
        public StateEffect<String> handle(String state, String message, PersistenceContext<String> context) {
            return save(message).thenReply(now -> now);
        }
    }

    /** Reads its own version only. */
    private record OneVersion(int version) implements StateCodec<String> {
        @Override
        public int format() {
            return 1;
        }

        @Override
        public Buffer encode(String state) {
            return Buffer.buffer(state);
        }

        @Override
        public String decode(int version, Buffer payload) {
            if (version != this.version) {
                throw new IllegalArgumentException("version " + version);
            }
            return payload.toString();
        }
    }
}
