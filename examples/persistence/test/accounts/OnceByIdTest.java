package accounts;

import static io.shardbus.testkit.ClusterTestKit.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import accounts.AccountMessage.Deposit;
import accounts.AccountMessage.Get;
import accounts.AccountMessage.Withdraw;
import io.shardbus.EntityRef;
import io.shardbus.ShardingException;
import io.shardbus.model.CommandId;
import io.shardbus.model.FailureCode;
import io.shardbus.store.memory.MemoryStore;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A command with an id, whose client sends it again to another node")
class OnceByIdTest {
    private final ClusterTestKit cluster = ClusterTestKit.start(1);
    private OnceById once;

    @BeforeEach
    void start() {
        var store = MemoryStore.create();
        cluster.startType(Accounts.on(store));
        cluster.startType(Accounts.commandsOn(store));
        once = new OnceById(OnceByIdTest.this::noted);
    }

    @AfterEach
    void end() {
        cluster.close();
    }

    private EntityRef<CommandMessage> noted(String id) {
        return cluster.node(0).sharding().entityRef(Accounts.COMMAND, id);
    }

    private EntityRef<AccountMessage> account() {
        return cluster.node(0).sharding().entityRef(Accounts.TYPE, "ann");
    }

    /** A reference whose first ask, of such a number of arguments, goes through this. */
    @SuppressWarnings("unchecked")
    private static <M> EntityRef<M> through(
            EntityRef<M> target,
            int arguments,
            UnaryOperator<Future<Object>> before,
            UnaryOperator<Future<Object>> after) {
        boolean[] isPast = new boolean[1];
        return (EntityRef<M>) Proxy.newProxyInstance(
                EntityRef.class.getClassLoader(), new Class<?>[] {EntityRef.class}, (proxy, method, values) -> {
                    if (!method.getName().equals("ask") || values.length != arguments || isPast[0]) {
                        return method.invoke(target, values);
                    }
                    isPast[0] = true;
                    return after.apply(before.apply(Future.succeededFuture()).compose(now -> {
                        try {
                            return (Future<Object>) method.invoke(target, values);
                        } catch (ReflectiveOperationException e) {
                            return Future.failedFuture(e);
                        }
                    }));
                });
    }

    private static long patience() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    }

    private void others(int from, int to) {
        for (int other = from; other < to; other++) {
            await(once.ask(account(), new Deposit(1), "other-" + other, patience()));
        }
    }

    private long balance() {
        return await(account().ask(new Get())).balance();
    }

    @Test
    @DisplayName("is not executed again for the first node that stood still, though the account has forgotten the id")
    void frozenFirstSender() {
        Promise<Object> frozen = Promise.promise();
        var slow = new OnceById(id -> through(
                noted(id),
                2,
                now -> now,
                answer -> answer.compose(known -> frozen.future().map(known))));
        Future<JsonObject> first = slow.ask(account(), new Deposit(1), "id", patience());
        others(0, 10);
        var second = await(once.ask(account(), new Deposit(1), "id", patience()));
        others(10, 210);
        frozen.complete();
        assertEquals(second, await(first), "the answer that it had");
        assertEquals(211, balance());
    }

    @Test
    @DisplayName("is executed although many others overtook it on its way, as no other node has sent it")
    void overtaken() {
        Promise<Object> slow = Promise.promise();
        Future<JsonObject> first = once.ask(
                through(account(), 3, now -> slow.future(), answer -> answer), new Deposit(1), "id", patience());
        others(0, 200);
        assertEquals(
                FailureCode.COMMAND_TOO_OLD,
                assertThrows(
                                ShardingException.class,
                                () -> await(
                                        account().ask(new Deposit(1), new CommandId("old", 1), Duration.ofSeconds(60))))
                        .code());
        slow.complete();
        assertEquals(201, await(first).getLong("balance"));
        assertEquals(
                201,
                await(once.ask(account(), new Deposit(1), "id", patience())).getLong("balance"));
        assertEquals(201, balance());
    }

    @Test
    @DisplayName("is not sent when its client has given up")
    void late() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        var late = new OnceById(id -> through(
                noted(id),
                2,
                now -> now,
                answer -> answer.compose(known -> cluster.node(0)
                        .vertx()
                        .timer(Math.max(1, (end - System.nanoTime()) / 1_000_000 + 1), TimeUnit.MILLISECONDS)
                        .map(known))));
        var failure =
                assertThrows(ShardingException.class, () -> await(late.ask(account(), new Deposit(1), "id", end)));
        assertEquals(FailureCode.TIMED_OUT, failure.code(), failure.getMessage());
        assertEquals(0, balance());
        assertEquals(
                1, await(once.ask(account(), new Deposit(1), "id", patience())).getLong("balance"));
    }

    private String refusal(Future<JsonObject> answer) {
        var refused = assertThrows(ShardingException.class, () -> await(answer));
        return refused.entityCode() + ": " + refused.getMessage();
    }

    @Test
    @DisplayName("is refused with the same answer again, also when the balance would do by then")
    void refused() {
        var first = refusal(once.ask(account(), new Withdraw(1), "id", patience()));
        assertEquals("INSUFFICIENT: the balance is 0", first);
        await(once.ask(account(), new Deposit(5), "other", patience()));
        assertEquals(first, refusal(once.ask(account(), new Withdraw(1), "id", patience())));
        assertTrue(
                refusal(once.ask(account(), new Deposit(1), "id", patience())).startsWith("COMMAND_ID_REUSED: "));
        assertEquals(5, balance());
    }

    @Test
    @DisplayName("has the answer of its effect, when one sending was refused and another one, sent before, was not")
    void refusedAndExecuted() {
        Promise<Object> slow = Promise.promise();
        Future<JsonObject> first = once.ask(
                through(account(), 3, now -> slow.future(), answer -> answer), new Withdraw(1), "id", patience());
        assertEquals("INSUFFICIENT: the balance is 0", refusal(once.ask(account(), new Withdraw(1), "id", patience())));
        await(once.ask(account(), new Deposit(5), "other", patience()));
        slow.complete();
        assertEquals(4, await(first).getLong("balance"));
        assertEquals(
                4, await(once.ask(account(), new Withdraw(1), "id", patience())).getLong("balance"));
        assertEquals(4, balance());
    }

    @Test
    @DisplayName("keeps its id from other commands, though no answer of it is known")
    void otherCommandUnderTheId() {
        Promise<Object> slow = Promise.promise();
        Future<JsonObject> first = once.ask(
                through(account(), 3, now -> slow.future(), answer -> answer), new Deposit(1), "id", patience());
        assertTrue(
                refusal(once.ask(account(), new Deposit(2), "id", patience())).startsWith("COMMAND_ID_REUSED: "));
        slow.complete();
        assertEquals(1, await(first).getLong("balance"));
        assertEquals(1, balance());
    }
}
