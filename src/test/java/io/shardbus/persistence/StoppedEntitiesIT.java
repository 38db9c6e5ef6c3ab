package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.Ask;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.model.EntityLocation;
import io.shardbus.model.RestartPolicy;
import io.shardbus.model.ShardHash;
import io.shardbus.options.ShardingOptions;
import io.shardbus.options.SqliteOptions;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.store.sqlite.SqliteStore;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Senders are on one node, entities on another, what they store is in a file. */
@DisplayName("Event-sourced entities that stop among their commands")
class StoppedEntitiesIT {
    private static final EntityType<Command> TYPE = EntityType.of("keeper", Command.class);

    /** What the command {@code Slow} waits for. */
    private static volatile Promise<Void> slow = Promise.promise();

    /** What recovery waits for. */
    private static volatile Promise<Void> recovery = Promise.promise();

    @TempDir
    private static Path directory;

    private static Vertx vertx;
    private static PersistenceStore store;
    private static ClusterTestKit cluster;
    private static int used;

    sealed interface Command extends Ask<String> {}

    record Add(int number) implements Command {}

    record Echo(String text) implements Command {}

    record Get() implements Command {}

    record Slow() implements Command {}

    record Stop() implements Command {}

    record Hold() implements Command {}

    /** Of the commands that are not held back. */
    record Urgent(int number) implements Command {}

    record AddAndPassivate(int number) implements Command {}

    record Added(int number) {}

    private static final class Keeper implements EventSourcedEntity<Command, Added, List<Integer>> {
        private boolean holding;

        @Override
        public List<Integer> emptyState() {
            return List.of();
        }

        @Override
        public Effect<Added, List<Integer>> handle(
                List<Integer> state, Command command, PersistenceContext<Command> context) {
            if (command instanceof Stop) {
                throw new IllegalStateException("stop");
            }
            if (command instanceof Hold) {
                holding = true;
                return reply("hold");
            }
            if (command instanceof Slow) {
                return after(slow.future().map(done -> reply("slow")));
            }
            if (command instanceof AddAndPassivate last) {
                context.discardStash();
                return add(last.number()).thenPassivate();
            }
            if (command instanceof Urgent urgent) {
                return add(urgent.number());
            }
            return handleOrHold(state, command, context);
        }

        private Effect<Added, List<Integer>> handleOrHold(
                List<Integer> state, Command command, PersistenceContext<Command> context) {
            if (holding) {
                context.stash();
                return nothing();
            }
            if (command instanceof Add add) {
                return add(add.number());
            }
            return reply(command instanceof Echo echo ? echo.text() : context.id() + state);
        }

        private Effect<Added, List<Integer>> add(int number) {
            return persist(new Added(number)).thenReply(now -> "+" + number);
        }

        @Override
        public List<Integer> apply(List<Integer> state, Added event) {
            List<Integer> next = new ArrayList<>(state);
            next.add(event.number());
            return next;
        }
    }

    @BeforeAll
    static void open() {
        vertx = Vertx.vertx();
        store = SqliteStore.create(
                vertx, new SqliteOptions().setFile(directory.resolve("a.db").toString()));
        cluster = ClusterTestKit.start(2);
        cluster.startType(EventSourced.of(TYPE, id -> new Keeper(), EventCodec.json(Added.class))
                .on(held(store))
                .withRestartPolicy(RestartPolicy.stop()));
    }

    @AfterAll
    static void close() {
        cluster.close();
        ClusterTestKit.await(store.close());
        ClusterTestKit.await(vertx.close());
    }

    /** The store, but that entities are loaded when {@link #recovery} says so. */
    private static PersistenceStore held(PersistenceStore behind) {
        return proxy(PersistenceStore.class, (method, arguments) -> {
            Object answer = invoke(behind, method, arguments);
            return method.getName().equals("connect") ? held((StoreConnection) answer, (Context) arguments[0]) : answer;
        });
    }

    private static StoreConnection held(StoreConnection behind, Context lane) {
        return proxy(StoreConnection.class, (method, arguments) -> {
            if (!method.getName().equals("load")) {
                return invoke(behind, method, arguments);
            }
            Promise<Void> released = Promise.promise();
            recovery.future().onComplete(done -> lane.runOnContext(go -> released.complete()));
            return released.future().compose(go -> {
                try {
                    return (Future<?>) invoke(behind, method, arguments);
                } catch (Throwable e) {
                    return Future.failedFuture(e);
                }
            });
        });
    }

    private interface Call {
        Object on(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> call.on(method, arguments)));
    }

    private static Object invoke(Object on, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(on, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** One that has stored nothing, at home on the other node; not recovered. */
    private static EntityRef<Command> keeper() {
        recovery.tryComplete();
        slow = Promise.promise();
        for (int i = 0; i < 1000; i++) {
            EntityRef<Command> entity = cluster.node(0).sharding().entityRef(TYPE, "k" + used++);
            EntityLocation home = ClusterTestKit.await(neighbour(entity).start());
            if (!home.node().equals(cluster.node(0).id())) {
                recovery = Promise.promise();
                return entity;
            }
        }
        throw new AssertionError("all shards are at home on one of two nodes");
    }

    /** An entity of the same shard, which does nothing. */
    private static EntityRef<Command> neighbour(EntityRef<Command> entity) {
        int shards = ShardingOptions.DEFAULT_NUMBER_OF_SHARDS;
        int number = 0;
        while (ShardHash.shard("n" + number, shards) != ShardHash.shard(entity.id(), shards)) {
            number++;
        }
        return cluster.node(0).sharding().entityRef(TYPE, "n" + number);
    }

    private static EntityRef<Command> recovered() {
        EntityRef<Command> entity = keeper();
        recovery.complete();
        ClusterTestKit.await(entity.ask(new Echo("recovered")));
        return entity;
    }

    private static List<Future<String>> all(EntityRef<Command> entity, Command... commands) {
        return List.of(commands).stream().map(entity::ask).toList();
    }

    /** What was sent to the entity has reached its home: what is sent to its shard comes in order. */
    private static void arrived(EntityRef<Command> entity) {
        ClusterTestKit.await(neighbour(entity).ask(new Echo("arrived")));
    }

    private static List<String> outcomes(List<Future<String>> asked) {
        return asked.stream().map(StoppedEntitiesIT::outcome).toList();
    }

    private static String outcome(Future<String> asked) {
        try {
            return ClusterTestKit.await(asked);
        } catch (ShardingException e) {
            return e.code().name();
        }
    }

    private static List<String> behindSlow(EntityRef<Command> entity, Command... commands) {
        List<Future<String>> asked = new ArrayList<>(all(entity, new Slow()));
        asked.addAll(all(entity, commands));
        arrived(entity);
        slow.complete();
        return outcomes(asked);
    }

    @Test
    @DisplayName("PERS-02 what was queued before the stop is stored, what was behind it never happens")
    void amongCommands() {
        EntityRef<Command> entity = recovered();
        assertEquals(
                List.of("slow", "+1", "+2", "ENTITY_FAILED", "ENTITY_STOPPED", "ENTITY_STOPPED"),
                behindSlow(entity, new Add(1), new Add(2), new Stop(), new Add(3), new Add(4)));
        assertEquals(List.of("+5", entity.id() + "[1, 2, 5]"), outcomes(all(entity, new Add(5), new Get())));
    }

    @Test
    @DisplayName("PERS-03 the same with echoes: those before the stop are answered, those behind it are not")
    void amongEchoes() {
        EntityRef<Command> entity = recovered();
        assertEquals(
                List.of("slow", "+1", "a", "ENTITY_FAILED", "ENTITY_STOPPED", "ENTITY_STOPPED"),
                behindSlow(entity, new Add(1), new Echo("a"), new Stop(), new Echo("b"), new Add(2)));
        assertEquals(entity.id() + "[1]", outcome(entity.ask(new Get())));
    }

    @Test
    @DisplayName("PERS-04 a stop with nothing held back: what is behind it is not executed")
    void nothingHeldBack() {
        EntityRef<Command> entity = recovered();
        assertEquals("+1", outcome(entity.ask(new Add(1))));
        assertEquals(List.of("slow", "ENTITY_FAILED", "ENTITY_STOPPED"), behindSlow(entity, new Stop(), new Add(2)));
        assertEquals(entity.id() + "[1]", outcome(entity.ask(new Get())));
    }

    @Test
    @DisplayName("PERS-05 a stop before recovery is complete: recovery completes first, the next message wakes a clean"
            + " instance")
    void stopDuringRecovery() {
        EntityRef<Command> entity = keeper();
        List<Future<String>> asked = all(entity, new Stop());
        recovery.complete();
        assertEquals(List.of("ENTITY_FAILED"), outcomes(asked));
        assertEquals(List.of("+1", entity.id() + "[1]"), outcomes(all(entity, new Add(1), new Get())));
    }

    @Test
    @DisplayName("PERS-06 commands that recovery held back run before the stop that follows them, those behind do not")
    void heldBackByRecovery() {
        EntityRef<Command> entity = keeper();
        List<Future<String>> asked =
                all(entity, new Echo("a"), new Add(1), new Slow(), new Stop(), new Echo("b"), new Add(2));
        recovery.complete();
        arrived(entity);
        slow.complete();
        assertEquals(List.of("a", "+1", "slow", "ENTITY_FAILED", "ENTITY_STOPPED", "ENTITY_STOPPED"), outcomes(asked));
        assertEquals(entity.id() + "[1]", outcome(entity.ask(new Get())));
    }

    @Test
    @DisplayName("PERS-07 held-back commands that are discarded at the passivation do not count, later ones do")
    void discards() {
        EntityRef<Command> entity = recovered();
        assertEquals(
                List.of("+1", "hold", "ENTITY_STOPPED", "ENTITY_STOPPED", "+2"),
                outcomes(all(entity, new Add(1), new Hold(), new Add(3), new Add(4), new AddAndPassivate(2))));
        cluster.until("a new instance", () -> outcome(entity.ask(new Urgent(5))).equals("+5"));
        assertEquals(List.of("+6", entity.id() + "[1, 2, 5, 6]"), outcomes(all(entity, new Add(6), new Get())));
    }
}
