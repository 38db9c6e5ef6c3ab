package io.shardbus.runtime.coordinator;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.NodeId;
import io.shardbus.ShardingOptions;
import io.shardbus.core.control.Peers;
import io.shardbus.core.splitbrain.DownAll;
import io.shardbus.core.splitbrain.LeaseMajority;
import io.shardbus.core.splitbrain.SplitStrategy;
import io.shardbus.core.splitbrain.SplitTimes;
import io.shardbus.membership.ClusterView;
import io.shardbus.membership.LocalMembership;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.runtime.node.ElapsedClock;
import io.shardbus.runtime.region.RegionSettings;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SplitBrainRunnerTest {
    private static final NodeId SELF = new NodeId("a");
    private static final NodeId OTHER = new NodeId("b");

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final List<String> effects = new CopyOnWriteArrayList<>();
    private volatile boolean stands;
    private final SplitBrainArbiter arbiter =
            new StoreArbiter(new InMemoryRecordStore(), Duration.ofMinutes(5), () -> 0);

    private final class Effects implements SplitBrainRunner.Effects {
        @Override
        public void undecided(boolean undecided) {
            effects.add(undecided ? "undecided" : "decided");
        }

        @Override
        public void stopped(@Nullable String reason, boolean viewFollows) {
            effects.add(reason == null ? "goes on" : "stopped");
        }

        @Override
        public void mayCoordinate(boolean may) {
            stands = may;
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

    /** Does what it is asked for, but its answers are lost. */
    private final class Unheard implements SplitBrainArbiter {
        @Override
        public Future<Boolean> acquire(String name, String owner, String stamp) {
            return arbiter.acquire(name, owner, stamp).compose(taken -> Future.failedFuture("the answer is lost"));
        }

        @Override
        public Future<@Nullable String> release(String name, String owner, String stamp) {
            return arbiter.release(name, owner, stamp).compose(done -> Future.failedFuture("the answer is lost"));
        }
    }

    @AfterEach
    void close() {
        await(vertx.close());
    }

    /** All members but this one vanish. */
    private SplitBrainRunner lose(SplitStrategy strategy, @Nullable SplitBrainArbiter asked, NodeId... others) {
        SplitBrainSetup setup =
                new SplitBrainSetup("test", strategy, new SplitTimes(0, 1000, 0, 40_000), asked, "lease", null);
        NodeParts parts = new NodeParts(
                SELF,
                1,
                new ShardingOptions(),
                new ElapsedClock(),
                new BusTransport(vertx, "", null, () -> 0),
                new LocalMembership(new NodeAttributes(Set.of(), true, "")),
                new InMemoryStateStore(),
                () -> Future.failedFuture("nothing is remembered"));
        Promise<SplitBrainRunner> running = Promise.promise();
        context.runOnContext(ignored -> {
            SplitBrainRunner runner = new SplitBrainRunner(setup, parts, context, new Peers(10_000), new Effects());
            List<NodeId> all = Stream.concat(Stream.of(SELF), Stream.of(others)).toList();
            runner.viewChanged(new ClusterView(1, all, false, true));
            NodeAttributes alike = new NodeAttributes(Set.of(), true, "")
                    .decidingBy(RegionSettings.safety(parts.options()).options());
            runner.attributesChanged(all.stream().collect(Collectors.toMap(node -> node, node -> alike)));
            runner.viewChanged(new ClusterView(2, List.of(SELF), false, true));
            running.complete(runner);
        });
        until("it is decided", () -> effects.contains("decided"));
        return await(running.future());
    }

    @Test
    void aSideThatStopsDoesSoBeforeItMayWriteAgain() {
        lose(new DownAll(), null, OTHER);
        assertEquals(List.of("undecided", "stopped", "decided"), effects);
    }

    @Test
    void aNodeAmongMembersWithItsOptionsMayCoordinate() {
        lose(new DownAll(), null, OTHER);
        assertTrue(stands);
    }

    @Test
    void anArbiterThatThrowsAnErrorHasRefused() {
        lose(new LeaseMajority(""), new Broken(), OTHER);
        assertEquals(List.of("undecided", "stopped", "decided"), effects);
    }

    @Test
    void ofTwoNodesTheOneThatWentOnGivesTheLeaseBackWhenItLeaves() {
        SplitBrainRunner runner = lose(new LeaseMajority(""), arbiter, OTHER);
        assertEquals(List.of("undecided", "decided"), effects);
        assertFalse(await(arbiter.acquire("lease", "b", "y")));
        await(runner.close());
        assertTrue(await(arbiter.acquire("lease", "b", "y")));
    }

    @Test
    void alsoIfItHadNoAnswer() {
        SplitBrainRunner runner = lose(new LeaseMajority(""), new Unheard(), OTHER);
        assertEquals(List.of("undecided", "stopped", "decided"), effects);
        assertFalse(await(arbiter.acquire("lease", "b", "y")));
        await(runner.close());
        assertTrue(await(arbiter.acquire("lease", "b", "y")));
    }

    @Test
    void whatAnotherHasTakenSinceInTheSameNameIsNotGivenBack() {
        SplitBrainRunner runner = lose(new LeaseMajority(""), arbiter, OTHER);
        assertTrue(await(arbiter.acquire("lease", "a", "x")));
        await(runner.close());
        assertFalse(await(arbiter.acquire("lease", "b", "y")));
    }

    @Test
    void whatAThirdNodeMayGoOnByIsNotGivenBack() {
        SplitBrainRunner runner = lose(new LeaseMajority(""), arbiter, OTHER, new NodeId("c"));
        await(runner.close());
        assertFalse(await(arbiter.acquire("lease", "b", "y")), "c may have asked in the name of a before it lost a");
    }
}
