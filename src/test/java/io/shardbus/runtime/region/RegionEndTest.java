package io.shardbus.runtime.region;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.codec.PayloadCodecs;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToCoordinator.Goodbye;
import io.shardbus.core.protocol.ToCoordinator.Heartbeat;
import io.shardbus.core.protocol.ToCoordinator.Register;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.core.region.RegionStatus;
import io.shardbus.integration.LoneNode;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.StopReason;
import io.shardbus.model.TermId;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.spi.LeaseProvider.ShardLease;
import io.shardbus.transport.BusTransport;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A region with its lanes, whose coordinator is the test: when it has ended. */
class RegionEndTest {
    private static final NodeId SELF = new NodeId("a");
    private static final TermId FIRST = new TermId(7, 1);
    private static final TermId SECOND = new TermId(8, 1);
    private static final FencingToken TOKEN = new FencingToken(7, 1, 1);
    private static final LeaseTimes TIMES = new LeaseTimes(60_000, 1000, true);

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final ElapsedClock clock = new ElapsedClock();
    private final List<ToCoordinator> sent = new CopyOnWriteArrayList<>();
    private final Promise<Void> stop = Promise.promise();

    @AfterEach
    void close() {
        stop.tryComplete();
        await(vertx.close());
    }

    /** Stops when the test says so. */
    private final class Slow implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            return Future.succeededFuture(message);
        }

        @Override
        public Future<?> stopping(StopReason reason) {
            return stop.future();
        }
    }

    /** Grants at once; what is given back, is when the test says so. */
    private static final class SlowLease implements ShardLease {
        final Promise<Void> release = Promise.promise();
        volatile boolean releasing;

        @Override
        public Future<Boolean> acquire(Consumer<Throwable> lost) {
            return Future.succeededFuture(true);
        }

        @Override
        public Future<Void> release() {
            releasing = true;
            return release.future();
        }
    }

    private RegionControl<String> region(@Nullable ShardLease lease) {
        EntityDefinition<String> definition = LoneNode.texts(id -> new Slow());
        ShardingOptions options =
                new ShardingOptions().setNumberOfShards(1).setLanes(2).setStopTimeoutMs(60_000);
        RegionSettings settings = RegionSettings.of(definition, options, SELF, false);
        RegionHandle.Actions actions = new RegionHandle.Actions(
                Future::succeededFuture,
                () -> Future.failedFuture("its state is not asked for"),
                () -> true,
                () -> false);
        RegionHandle<String> handle =
                new RegionHandle<>(definition, settings, PayloadCodecs.of(definition), clock, actions, null);
        RegionWiring wiring = new RegionWiring(
                vertx,
                () -> context,
                clock,
                new BusTransport(vertx, "", null, () -> 0),
                TIMES,
                sent::add,
                node -> true,
                until -> {},
                lease == null ? null : new ShardLeaseRunner.Source(shard -> lease, 1),
                () -> Future.failedFuture("nothing is remembered"));
        RegionControl<String> region = new RegionControl<>(handle, wiring, 1);
        await(region.deploy());
        return region;
    }

    private void onControl(Runnable task) {
        Promise<Void> done = Promise.promise();
        context.runOnContext(ignored -> {
            task.run();
            done.complete();
        });
        await(done.future());
    }

    private void tells(RegionControl<?> region, TermId term, ToRegion message) {
        onControl(() -> region.received(term, message));
    }

    private <T extends ToCoordinator> T last(Class<T> type) {
        List<T> found = sent.stream().filter(type::isInstance).map(type::cast).toList();
        return found.get(found.size() - 1);
    }

    /** Registered in the first term, with a live entity. */
    private RegionControl<String> hosting(@Nullable ShardLease lease) {
        RegionControl<String> region = region(lease);
        onControl(() -> region.termSeen(FIRST));
        Register register = last(Register.class);
        long attempt = register.attempt();
        tells(region, FIRST, new ToRegion.Registered(attempt, Set.of()));
        tells(region, FIRST, new ToRegion.LeaseGranted(attempt, register.heartbeat(), TIMES.lease()));
        tells(
                region,
                FIRST,
                new ToRegion.LeaseGranted(attempt, last(Heartbeat.class).number(), TIMES.lease()));
        tells(region, FIRST, new ToRegion.HostShard(attempt, 0, TOKEN));
        until("the shard is at home", () -> sent.stream().anyMatch(ToCoordinator.ShardHosted.class::isInstance));
        ShardHome home = new ShardHome(0, TOKEN, TOKEN, SELF, 2);
        tells(region, FIRST, new ToRegion.ShardHomes(List.of(home)));
        assertEquals(
                "hello", await(region.handle().entityRef("e").request("hello", String.class, Duration.ofSeconds(20))));
        return region;
    }

    @Test
    void aRefusedOneDoesNotWaitForHomesOfItsMessages() {
        RegionControl<String> region = region(null);
        onControl(() -> region.termSeen(FIRST));
        Future<String> waiting = region.handle().entityRef("e").request("hello", String.class, Duration.ofSeconds(20));
        tells(region, FIRST, new ToRegion.Refused(last(Register.class).attempt(), "other options"));
        assertEquals(FailureCode.INCOMPATIBLE, LoneNode.failureCode(waiting));
        await(region.ended());
    }

    @Test
    void aRefusedOneHasEndedWhenItsEntitiesHave() {
        RegionControl<String> region = hosting(null);
        onControl(() -> region.termSeen(SECOND));
        tells(region, SECOND, new ToRegion.Refused(last(Register.class).attempt(), "other options"));
        assertEquals(RegionStatus.REFUSED, region.status());
        assertFalse(region.ended().isComplete(), "an entity is live");
        stop.complete();
        await(region.ended());
        assertEquals(Optional.empty(), await(region.handle().queries().entityIds(0, 10)));
    }

    @Test
    void oneThatLeavesSaysGoodbyeWhenItsOutsideLeasesAreBack() {
        SlowLease lease = new SlowLease();
        RegionControl<String> region = hosting(lease);
        stop.complete();
        onControl(region::stopNow);
        until("the lease is given back", () -> lease.releasing);
        // all that the lanes have said by now has been heard after this
        await(region.handle().queries().statistics());
        onControl(() -> {});
        assertFalse(region.ended().isComplete(), "another region may want the lease");
        assertFalse(sent.stream().anyMatch(Goodbye.class::isInstance));
        lease.release.complete();
        await(region.ended());
        assertEquals(new Goodbye(last(Register.class).attempt()), last(Goodbye.class));
    }

    @Test
    void aProviderThatThrowsDoesNotKeepItsRegion() {
        AtomicInteger releases = new AtomicInteger();
        RegionControl<String> region = hosting(new ShardLease() {
            @Override
            public Future<Boolean> acquire(Consumer<Throwable> lost) {
                return Future.succeededFuture(true);
            }

            @Override
            public Future<Void> release() {
                releases.incrementAndGet();
                throw new NoClassDefFoundError("com/example/Driver");
            }
        });
        stop.complete();
        onControl(region::stopNow);
        await(region.ended());
        assertTrue(
                releases.get() > 0, "the provider was asked, once more at the end where its first answer came before");
    }
}
