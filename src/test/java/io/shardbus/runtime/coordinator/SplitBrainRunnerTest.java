package io.shardbus.runtime.coordinator;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.NodeId;
import io.shardbus.ShardingOptions;
import io.shardbus.core.splitbrain.DownAll;
import io.shardbus.core.splitbrain.LeaseMajority;
import io.shardbus.core.splitbrain.SplitStrategy;
import io.shardbus.core.splitbrain.SplitTimes;
import io.shardbus.membership.ClusterView;
import io.shardbus.membership.LocalMembership;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.runtime.node.ElapsedClock;
import io.shardbus.spi.SplitBrainArbiter;
import io.shardbus.store.InMemoryRecordStore;
import io.shardbus.store.InMemoryStateStore;
import io.shardbus.store.StoreArbiter;
import io.shardbus.transport.BusTransport;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SplitBrainRunnerTest {
    private static final NodeId SELF = new NodeId("a");
    private static final NodeId OTHER = new NodeId("b");

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final List<String> effects = new CopyOnWriteArrayList<>();

    private final class Effects implements SplitBrainRunner.Effects {
        @Override
        public void undecided(boolean undecided) {
            effects.add(undecided ? "undecided" : "decided");
        }

        @Override
        public void stopped(@Nullable String reason) {
            effects.add(reason == null ? "goes on" : "stopped");
        }
    }

    /** An arbiter without its driver. */
    private static final class Broken implements SplitBrainArbiter {
        @Override
        public Future<Boolean> acquire(String name, String owner, String stamp) {
            throw new NoClassDefFoundError("com/example/Driver");
        }

        @Override
        public Future<@Nullable String> release(String name, String owner, String stamp) {
            throw new NoClassDefFoundError("com/example/Driver");
        }
    }

    @AfterEach
    void close() {
        await(vertx.close());
    }

    /** Two members, of which the other vanishes. */
    private SplitBrainRunner lose(SplitStrategy strategy, @Nullable SplitBrainArbiter arbiter) {
        SplitBrainSetup setup =
                new SplitBrainSetup("test", strategy, new SplitTimes(0, 1000, 0, 40_000), arbiter, "lease", null);
        NodeParts parts = new NodeParts(
                SELF,
                1,
                new ShardingOptions(),
                new ElapsedClock(),
                new BusTransport(vertx, ""),
                new LocalMembership(new NodeAttributes(Set.of(), true, "")),
                new InMemoryStateStore(),
                () -> Future.failedFuture("nothing is remembered"));
        Promise<SplitBrainRunner> running = Promise.promise();
        context.runOnContext(ignored -> {
            SplitBrainRunner runner = new SplitBrainRunner(setup, parts, context, new Effects());
            runner.viewChanged(new ClusterView(1, List.of(SELF, OTHER), false, true));
            runner.viewChanged(new ClusterView(2, List.of(SELF), false, true));
            running.complete(runner);
        });
        until("it is decided", () -> effects.contains("decided"));
        return await(running.future());
    }

    @Test
    void aSideThatStopsDoesSoBeforeItMayWriteAgain() {
        lose(new DownAll(), null);
        assertEquals(List.of("undecided", "stopped", "decided"), effects);
    }

    @Test
    void anArbiterThatThrowsAnErrorHasRefused() {
        lose(new LeaseMajority(""), new Broken());
        assertEquals(List.of("undecided", "stopped", "decided"), effects);
    }

    @Test
    void theLastOfItsSideGivesTheLeaseBackWhenItLeaves() {
        SplitBrainArbiter arbiter = new StoreArbiter(new InMemoryRecordStore(), Duration.ofMinutes(5), () -> 0);
        SplitBrainRunner runner = lose(new LeaseMajority(""), arbiter);
        assertEquals(List.of("undecided", "decided"), effects);
        // another one of the same side took it too, and has left
        assertTrue(await(arbiter.acquire("lease", "a", "x")));
        assertFalse(await(arbiter.acquire("lease", "b", "y")));
        await(runner.close());
        assertTrue(await(arbiter.acquire("lease", "b", "y")));
    }
}
