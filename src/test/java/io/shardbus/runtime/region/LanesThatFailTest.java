package io.shardbus.runtime.region;

import static io.shardbus.integration.Await.result;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.codec.PayloadCodecs;
import io.shardbus.core.protocol.LeaseTimes;
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
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A region of two lanes whose first cannot be deployed while the second still is, as where the cluster is slow. */
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

    private Vertx deploying() {
        return (Vertx) Proxy.newProxyInstance(
                Vertx.class.getClassLoader(), new Class<?>[] {Vertx.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("deployVerticle")) {
                        Future<String> lane = deployed.isEmpty()
                                ? Future.failedFuture("no such lane")
                                : slow.future()
                                        .compose(now -> vertx.deployVerticle(
                                                (Deployable) arguments[0], (DeploymentOptions) arguments[1]));
                        deployed.add(lane);
                        return lane;
                    }
                    try {
                        return method.invoke(vertx, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private RegionControl<String> region() {
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
                deploying(),
                vertx::getOrCreateContext,
                clock,
                new BusTransport(vertx, "", null, () -> 0),
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
        result(vertx.close());
    }

    @Test
    void noLaneStaysWhereTheRegionIsTakenDown() {
        RegionControl<String> region = region();
        Future<Void> failed = region.deploy();
        Future<Void> takenDown = failed.transform(done -> region.undeploy());
        slow.complete();
        result(deployed.get(1));
        result(takenDown);
        assertTrue(failed.failed());
        assertEquals(Set.of(), vertx.deploymentIDs());
    }
}
