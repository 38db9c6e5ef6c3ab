package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ExecutionModel;
import io.shardbus.ShardingException;
import io.shardbus.persistence.Account.Balance;
import io.shardbus.persistence.Account.Deposit;
import io.shardbus.persistence.Account.Event;
import io.shardbus.persistence.Account.Message;
import io.shardbus.persistence.UnsteadyStore.Loss;
import io.shardbus.testkit.EntityTestKit;
import io.vertx.core.Context;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A command before which the state is read again")
class StatesReadAgainTest {
    private final UnsteadyStore store = new UnsteadyStore();
    private final List<String> reports = new CopyOnWriteArrayList<>();
    private final List<ExecutionModel> threads = new CopyOnWriteArrayList<>();
    private volatile Runnable deciding = () -> {};

    private final class Watched extends Account {
        @Override
        public Effect<Event, Long> handle(Long balance, Message message, PersistenceContext<Message> context) {
            deciding.run();
            threads.add(
                    Context.isOnEventLoopThread()
                            ? ExecutionModel.EVENT_LOOP
                            : Context.isOnWorkerThread() ? ExecutionModel.WORKER : ExecutionModel.VIRTUAL_THREAD);
            return super.handle(balance, message, context);
        }
    }

    private EntityTestKit<Message> account(ExecutionModel execution) {
        Assumptions.assumeTrue(
                execution != ExecutionModel.VIRTUAL_THREAD || Runtime.version().feature() >= 21, "no virtual threads");
        return EntityTestKit.of(EventSourced.of(Account.TYPE, id -> new Watched(), EventCodec.json(Event.class))
                .on(store)
                .withExecution(execution)
                .withFailureHandler(report -> reports.add(report.failure().getMessage())));
    }

    /** What it has decided last is not stored, so its state is read again. */
    private void loseState(EntityTestKit<Message> account) {
        account.ask(new Deposit(5));
        store.lose(Loss.ROW);
        assertThrows(ShardingException.class, () -> account.ask(new Deposit(1)));
        threads.clear();
    }

    @ParameterizedTest
    @EnumSource(ExecutionModel.class)
    @DisplayName("is decided on where the definition says, and the code has returned before its instance ends")
    void threads(ExecutionModel execution) {
        try (var account = account(execution)) {
            loseState(account);
            if (execution != ExecutionModel.EVENT_LOOP) {
                var released = new CompletableFuture<Void>();
                released.completeOnTimeout(null, 200, TimeUnit.MILLISECONDS);
                deciding = released::join;
            }
            account.tell(new Deposit(2));
            assertEquals(List.of(execution), threads, "the kit waits for code on threads, as the end of a lease does");
            assertEquals(7, account.ask(new Balance()));
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionModel.class)
    @DisplayName("is a failure of the entity if the code throws, as any other")
    void thrown(ExecutionModel execution) {
        try (var account = account(execution)) {
            loseState(account);
            deciding = () -> {
                throw new IllegalStateException("handle");
            };
            var failure = assertThrows(ShardingException.class, () -> account.ask(new Deposit(2)));
            assertTrue(String.valueOf(failure.getMessage()).contains("handle"), failure::toString);
            assertEquals(List.of("handle"), reports);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void throwUndeclared(Throwable checked) throws E {
        throw (E) checked;
    }

    /** As {@code Future.await} throws what a future has failed with. */
    @ParameterizedTest
    @EnumSource(ExecutionModel.class)
    @DisplayName("is such a failure, too, if the exception is a checked one, and the entity goes on")
    void thrownUndeclared(ExecutionModel execution) {
        try (var account = account(execution)) {
            loseState(account);
            deciding = () -> StatesReadAgainTest.<RuntimeException>throwUndeclared(new IOException("no connection"));
            var failure = assertThrows(ShardingException.class, () -> account.ask(new Deposit(2)));
            assertTrue(String.valueOf(failure.getMessage()).contains("no connection"), failure::toString);
            assertEquals(List.of("no connection"), reports);
            deciding = () -> {};
            assertEquals(7, account.ask(new Deposit(2)));
        }
    }
}
