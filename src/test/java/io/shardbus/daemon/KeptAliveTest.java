package io.shardbus.daemon;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;

import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FencingToken;
import io.shardbus.options.DaemonOptions;
import io.shardbus.options.SingletonOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Workers and singletons are kept alive although the verticle that started them has ended. */
class KeptAliveTest {
    private final LoneNode node = new LoneNode(TestCluster.options());
    private final RollCall calls = new RollCall();

    @AfterEach
    void close() {
        node.close();
    }

    /** Starts them in a verticle, which ends when they run, and then ends one of them. */
    private void startAndEnd(Set<String> all, Supplier<Future<?>> begin) {
        String starter = await(node.vertx().deployVerticle(new VerticleBase() {
            @Override
            public Future<?> start() {
                return begin.get();
            }
        }));
        until("all run", () -> calls.running().equals(all));
        await(node.vertx().undeploy(starter));
        await(node.vertx().undeploy(calls.entry("0").deployment()));
        until("all run again", () -> calls.running().equals(all));
    }

    @Test
    void workersStartAgain() {
        startAndEnd(
                Set.of("0", "1"),
                () -> ShardedDaemonProcess.start(
                        node.vertx(),
                        node.sharding(),
                        new DaemonOptions()
                                .setName("feed")
                                .setWorkers(2)
                                .setMaxWorkers(2)
                                .setKeepAliveIntervalMs(50)
                                .setKeepAliveThrottleMs(5),
                        calls::worker));
    }

    @Test
    void aSingletonStartsAgain() {
        WorkerContext told =
                new WorkerContext("one", new WorkerId(0, 1, 0), node.sharding().self(), new FencingToken(1, 1, 1));
        startAndEnd(
                Set.of("0"),
                () -> ClusterSingleton.start(
                        node.vertx(),
                        node.sharding(),
                        new SingletonOptions().setName("one").setKeepAliveIntervalMs(50),
                        String.class,
                        () -> calls.worker(told)));
    }
}
