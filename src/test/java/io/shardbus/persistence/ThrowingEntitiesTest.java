package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardbus.ClusterSharding;
import io.shardbus.ShardingException;
import io.shardbus.integration.Await;
import io.shardbus.model.FailureCode;
import io.shardbus.options.ShardingOptions;
import io.shardbus.persistence.Account.Balance;
import io.shardbus.persistence.Account.Deposit;
import io.shardbus.persistence.Account.Event;
import io.shardbus.persistence.Account.Message;
import io.shardbus.store.memory.MemoryStore;
import io.shardbus.testkit.ClusterTestKit;
import io.shardbus.testkit.EntityTestKit;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A persistent entity whose code throws apart from handle")
class ThrowingEntitiesTest {
    private final MemoryStore store = MemoryStore.create();
    private final List<String> reports = new CopyOnWriteArrayList<>();
    private volatile boolean throwing;

    private final class Throwing extends Account {
        @Override
        public void recovered(Long balance, PersistenceContext<Message> context) {
            if (throwing) {
                throw new IllegalStateException("recovered");
            }
        }

        @Override
        public Effect<Event, Long> handle(Long balance, Message message, PersistenceContext<Message> context) {
            return message instanceof Deposit deposit
                    ? after(Future.succeededFuture(
                            persist(new Deposited(deposit.amount())).thenReply(now -> now)))
                    : super.handle(balance, message, context);
        }
    }

    private EventSourced<Message, Event, Long> type() {
        return EventSourced.of(Account.TYPE, id -> new Throwing(), EventCodec.json(Event.class));
    }

    private EntityTestKit<Message> account() {
        return EntityTestKit.of(type().on(store)
                .withFailureHandler(report -> reports.add(report.failure().getMessage())));
    }

    private static FailureCode codeOf(Runnable ask) {
        return assertThrows(ShardingException.class, ask::run).code();
    }

    @Test
    @DisplayName("after its recovery fails each command, its failure handler hears of it, and it goes on by itself")
    void recovered() {
        try (var account = account()) {
            account.ask(new Deposit(5));
            account.passivate();
            throwing = true;
            assertEquals(FailureCode.ENTITY_FAILED, codeOf(() -> account.ask(new Balance())));
            account.tell(new Deposit(1));
            assertEquals(List.of("recovered", "recovered"), reports);
            assertEquals(2, account.counters().get("failures_resumed"));
            throwing = false;
            assertEquals(5, account.ask(new Balance()), "the command that was told had no effect");
        }
    }

    @Test
    @DisplayName("when it applies what it has decided later fails the command, and its failure handler hears of it")
    void appliedLater() {
        try (var account = account()) {
            account.ask(new Deposit(5));
            assertEquals(FailureCode.ENTITY_FAILED, codeOf(() -> account.ask(new Deposit(-1))));
            assertEquals(List.of("a deposit of -1"), reports);
            assertEquals(6, account.ask(new Deposit(1)));
        }
    }

    @Test
    @DisplayName("after its recovery can be erased")
    void erased() {
        Vertx vertx = Vertx.vertx();
        try {
            var sharding = ClusterSharding.create(vertx, new ShardingOptions().setAwaitPredecessorLeases(false));
            Await.result(sharding.start(type().on(store)));
            var account = sharding.entityRef(Account.TYPE, "a");
            assertEquals(5, ClusterTestKit.await(account.ask(new Deposit(5))));
            ClusterTestKit.await(sharding.operations().passivate("account", "a"));
            throwing = true;
            ClusterTestKit.await(sharding.operations().erase("account", "a"));
            throwing = false;
            assertEquals(0, ClusterTestKit.await(account.ask(new Balance())));
        } finally {
            Await.result(vertx.close());
        }
    }
}
