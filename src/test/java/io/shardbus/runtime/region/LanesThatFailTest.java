package io.shardbus.runtime.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.codec.PayloadCodecs;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.model.NodeId;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.transport.BusTransport;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageConsumer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A region of two lanes that cannot be deployed, or of which the first cannot while the second still is. */
class LanesThatFailTest {
    private static final NodeId SELF = new NodeId("a");

    private final Vertx vertx = Vertx.vertx();
    private final ElapsedClock clock = new ElapsedClock();
    private final Promise<Void> slow = Promise.promise();
    private final List<Future<String>> deployed = new ArrayList<>();

    private static final class Echo implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            return reply(message);
        }
    }

    /** Answers some of the calls, and passes the others on. */
    private interface Calls {
        @Nullable
        Object answer(Object[] arguments);
    }

    @SuppressWarnings("unchecked")
    private static <T> T with(Class<T> type, T other, String call, Calls calls) {
        return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            if (method.getName().equals(call)) {
                return calls.answer(arguments);
            }
            try {
                return method.invoke(other, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    private Vertx deploying() {
        return with(Vertx.class, vertx, "deployVerticle", arguments -> {
            Future<String> lane = deployed.isEmpty()
                    ? Future.failedFuture("no such lane")
                    : slow.future()
                            .compose(now ->
                                    vertx.deployVerticle((Deployable) arguments[0], (DeploymentOptions) arguments[1]));
            deployed.add(lane);
            return lane;
        });
    }

    /** The cluster does not take the addresses of lanes. */
    private Vertx refusing() {
        EventBus bus = with(
                EventBus.class,
                vertx.eventBus(),
                "consumer",
                arguments -> with(
                        MessageConsumer.class,
                        vertx.eventBus().localConsumer((String) arguments[0]),
                        "completion",
                        none -> Future.failedFuture("the cluster does not answer")));
        return with(Vertx.class, vertx, "eventBus", none -> bus);
    }

    private RegionControl<String> region(Vertx lanes, Vertx addresses) {
        EntityDefinition<String> definition = LoneNode.texts(id -> new Echo());
        RegionSettings settings = RegionSettings.of(
                definition, new ShardingOptions().setNumberOfShards(2).setLanes(2), SELF, false);
        RegionHandle.Actions actions = new RegionHandle.Actions(
                Future::succeededFuture,
                () -> Future.failedFuture("its state is not asked for"),
                () -> true,
                () -> false);
        RegionHandle<String> handle =
                new RegionHandle<>(definition, settings, PayloadCodecs.of(definition), clock, actions, null);
        RegionWiring wiring = new RegionWiring(
                lanes,
                vertx::getOrCreateContext,
                clock,
                new BusTransport(addresses, "", null, () -> 0),
                new LeaseTimes(60_000, 1000, true),
                message -> {},
                node -> true,
                until -> {},
                null,
                () -> Future.failedFuture("nothing is remembered"));
        return new RegionControl<>(handle, wiring, 1);
    }

    @AfterEach
    void close() {
        Await.result(vertx.close());
    }

    @Test
    void noLaneStaysWhereTheRegionIsTakenDown() {
        RegionControl<String> region = region(deploying(), vertx);
        Future<Void> failed = region.deploy();
        Future<Void> takenDown = failed.transform(done -> region.undeploy());
        slow.complete();
        Await.result(deployed.get(1));
        Await.result(takenDown);
        assertTrue(failed.failed());
        assertEquals(Set.of(), vertx.deploymentIDs());
    }

    @Test
    void nothingLooksAfterALaneThatHasNotStarted() {
        int before = LaneWatch.watched();
        RegionControl<String> region = region(vertx, refusing());
        Future<Void> failed = region.deploy();
        Await.result(failed.transform(done -> region.undeploy()));
        assertTrue(failed.failed());
        Await.until(LaneWatch::watched, () -> LaneWatch.watched() <= before);
    }
}
