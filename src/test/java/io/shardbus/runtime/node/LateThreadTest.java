package io.shardbus.runtime.node;

import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.ExecutionModel;
import io.shardbus.ShardRegion;
import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.membership.LocalMembership;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermRecord;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.control.NodeParts;
import io.shardbus.runtime.region.RegionControl;
import io.shardbus.spi.LeaseProvider;
import io.shardbus.spi.StateStore;
import io.shardbus.store.InMemoryRememberedEntities;
import io.shardbus.store.InMemoryStateStore;
import io.shardbus.transport.BusTransport;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Code of entities that waits for a thread when its lease ends. */
class LateThreadTest {
    private static final NodeId SELF = new NodeId("alone");

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setWorkerPoolSize(1));
    private final Stalling store = new Stalling();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final List<String> made = new CopyOnWriteArrayList<>();
    private final Locks locks = new Locks();
    private @Nullable RegionStarter started;
    private @Nullable NodeAssembly node;

    /** Writes nothing and gives no answer while it stands still. */
    private static final class Stalling implements StateStore {
        private final InMemoryStateStore content = new InMemoryStateStore();
        volatile boolean stalled;

        @Override
        public Future<Void> start() {
            return content.start();
        }

        @Override
        public Future<@Nullable TermRecord> readTerm() {
            return content.readTerm();
        }

        @Override
        public Future<Boolean> replaceTerm(@Nullable TermRecord expected, TermRecord next) {
            return stalled ? Promise.<Boolean>promise().future() : content.replaceTerm(expected, next);
        }

        @Override
        public Future<Void> close() {
            return content.close();
        }
    }

    /** Gives every lock once. */
    private static final class Locks implements LeaseProvider {
        final List<Consumer<Throwable>> holders = new CopyOnWriteArrayList<>();
        volatile boolean given;

        @Override
        public ShardLease lease(String name, String owner) {
            return new ShardLease() {
                @Override
                public Future<Boolean> acquire(Consumer<Throwable> lost) {
                    holders.add(lost);
                    return Future.succeededFuture(!given);
                }

                @Override
                public Future<Void> release() {
                    return Future.succeededFuture();
                }
            };
        }
    }

    /** Its code takes the only thread until the gate opens. */
    private final class Blocking implements Entity<String> {
        Blocking(String id) {
            made.add(id);
        }

        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            heard.add(context.id() + " " + message);
            try {
                if (message.equals("wait")) {
                    gate.await();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Future.succeededFuture(message);
        }
    }

    @AfterEach
    void close() {
        gate.countDown();
        Await.result(vertx.close());
    }

    private EntityDefinition<String> definition() {
        return EntityDefinition.of(LoneNode.newType(), id -> (Entity<String>) new Blocking(id))
                .withNumberOfShards(1)
                .withExecution(ExecutionModel.WORKER);
    }

    private ShardRegion<String> start(EntityDefinition<String> definition) {
        ElapsedClock clock = new ElapsedClock();
        RememberedStores remembered = new RememberedStores(InMemoryRememberedEntities::new);
        NodeParts parts = new NodeParts(
                SELF,
                1,
                new ShardingOptions()
                        .setLeaseDurationMs(1000)
                        .setLanes(1)
                        .setStopTimeoutMs(100)
                        .setShutdownTimeoutMs(100)
                        .setLeaseRetryIntervalMs(50)
                        .setAwaitPredecessorLeases(false),
                clock,
                BusTransport.within(vertx, "late.", clock::now),
                new LocalMembership(SELF, Map.of(SELF, new NodeAttributes(Set.of(), true, ""))),
                store,
                remembered::started);
        NodeAssembly assembly = NodeAssembly.of(vertx, parts, remembered);
        RegionStarter regions = new RegionStarter(vertx, assembly, Future.succeededFuture());
        assembly.begin(new NodeQueries(assembly, regions));
        started = regions;
        node = assembly;
        return Await.result(regions.start(definition, false));
    }

    private static Future<String> ask(ShardRegion<String> region, String id, String message) {
        return LoneNode.ask(region.entityRef(id), message);
    }

    /** One entity has the thread; a message of another, and the start of a third, wait for it. */
    private List<Future<String>> waiting(ShardRegion<String> region) {
        assertEquals("hello", Await.result(ask(region, "known", "hello")));
        ask(region, "busy", "wait");
        until("the thread is taken", () -> heard.contains("busy wait"));
        return List.of(ask(region, "known", "late"), ask(region, "new", "late"));
    }

    private void assertThatNothingBegan(List<Future<String>> late) {
        assertEquals(List.of("known hello", "busy wait", "next hello"), heard);
        assertEquals(List.of("known", "busy", "next"), made);
        for (Future<String> each : late) {
            assertEquals(FailureCode.NOT_IN_MAJORITY, LoneNode.failureCode(each));
        }
    }

    @Test
    @DisplayName("what got its thread after the lease had ended does not begin: another home may have the shard")
    void nothingBeginsAfterTheLease() {
        ShardRegion<String> region = start(definition());
        List<Future<String>> late = waiting(region);
        store.stalled = true;
        until("the lease has ended", () -> !region.isRegistered());
        gate.countDown();
        store.stalled = false;
        assertEquals("hello", Await.result(ask(region, "next", "hello")));
        assertThatNothingBegan(late);
    }

    @Test
    @DisplayName("nor after the outside lease of its shard was lost")
    void nothingBeginsAfterTheOutsideLease() {
        ShardRegion<String> region = start(definition().withShardLeases(locks));
        List<Future<String>> late = waiting(region);
        locks.given = true;
        locks.holders.get(0).accept(new IllegalStateException("taken away"));
        until("what waited at the door has failed", () -> late.get(1).isComplete());
        gate.countDown();
        until("the shard has stopped", () -> locks.holders.size() > 1);
        locks.given = false;
        assertEquals("hello", Await.result(ask(region, "next", "hello")));
        assertThatNothingBegan(late);
    }

    @Test
    @DisplayName("nor when it gets its thread while the lane still fails what waits for the other entities")
    void nothingBeginsWhileTheShardIsBeingStopped() {
        ShardRegion<String> region = start(definition().withShardLeases(locks));
        List<String> ids = IntStream.range(0, 1_000).mapToObj(i -> "e" + i).toList();
        ids.stream().map(id -> ask(region, id, "hello")).toList().forEach(Await::result);
        ask(region, "busy", "wait");
        until("the thread is taken", () -> heard.contains("busy wait"));
        List<Future<String>> late = ids.stream()
                .flatMap(id -> Stream.of(ask(region, id, "late"), ask(region, id, "later")))
                .toList();
        late.forEach(each -> each.onComplete(failed -> gate.countDown()));
        locks.given = true;
        locks.holders.get(0).accept(new IllegalStateException("taken away"));
        for (Future<String> each : late) {
            assertEquals(FailureCode.NOT_IN_MAJORITY, LoneNode.failureCode(each));
        }
        assertEquals(
                List.of(), heard.stream().filter(each -> each.contains("late")).toList());
    }

    @Test
    @DisplayName("nor where the shard was already stopping when that was lost")
    void nothingBeginsAfterTheOutsideLeaseOfAShardThatStops() {
        ShardRegion<String> region = start(definition().withShardLeases(locks));
        List<Future<String>> late = waiting(region);
        RegionControl<?> control =
                Objects.requireNonNull(started).find(region.type().name()).orElseThrow();
        Await.result(region.leave());
        locks.holders.get(0).accept(new IllegalStateException("taken away"));
        // comes to the control context, and then to the lane, after the word of the loss
        Await.result(Objects.requireNonNull(node)
                .onControl(passed -> Future.succeededFuture(new JsonObject()))
                .compose(passed -> control.handle().queries().statistics()));
        gate.countDown();
        for (Future<String> each : late) {
            until("it has failed", each::isComplete);
        }
        assertEquals(FailureCode.NOT_IN_MAJORITY, LoneNode.failureCode(late.get(0)));
        assertEquals(List.of("known hello", "busy wait"), heard);
    }
}
