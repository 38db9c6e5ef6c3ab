package io.shardbus.runtime.control;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.control.ControlLoop;
import io.shardbus.core.control.Moment;
import io.shardbus.core.control.NodeCommand;
import io.shardbus.core.control.NodeControl;
import io.shardbus.core.control.NodeSetup;
import io.shardbus.core.control.PeerAttributes;
import io.shardbus.core.splitbrain.LeaseMajority;
import io.shardbus.core.splitbrain.SplitCommand;
import io.shardbus.core.splitbrain.SplitResolver;
import io.shardbus.core.splitbrain.SplitStrategy;
import io.shardbus.core.splitbrain.SplitTimes;
import io.shardbus.membership.Membership;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.model.NodeId;
import io.shardbus.model.SafetyOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.clock.ElapsedClock;
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
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SplitBrainRunnerTest {
    private static final SplitTimes TIMES = new SplitTimes(0, 1000, 0, 40_000).answering(400);
    private static final NodeId SELF = new NodeId("a");
    private static final NodeId OTHER = new NodeId("b");

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final List<String> effects = new CopyOnWriteArrayList<>();
    private final ElapsedClock clock = new ElapsedClock();
    private final SplitBrainArbiter arbiter =
            new StoreArbiter(new InMemoryRecordStore(), Duration.ofMinutes(5), () -> 0);

    /** Passes decisions on to the runner, and keeps their kinds. */
    private final class Decisions implements NodeCommand.Visitor {
        @Nullable
        SplitBrainRunner runner;

        @Override
        public void decided(NodeCommand.Decided command) {
            effects.add(command.command().getClass().getSimpleName());
            command.command().accept(Objects.requireNonNull(runner));
        }

        @Override
        public void elected(NodeCommand.Elected command) {}

        @Override
        public void coordinated(NodeCommand.Coordinated command) {}

        @Override
        public void send(NodeCommand.Send command) {}

        @Override
        public void broadcast(NodeCommand.Broadcast command) {}

        @Override
        public void turnTo(NodeCommand.TurnTo command) {}

        @Override
        public void permit(NodeCommand.Permit command) {}

        @Override
        public void deliver(NodeCommand.Deliver command) {}

        @Override
        public void nodesChanged(NodeCommand.NodesChanged command) {}

        @Override
        public void excuse(NodeCommand.Excuse command) {}

        @Override
        public void takeForDead(NodeCommand.TakeForDead command) {}

        @Override
        public void doubtTime(NodeCommand.DoubtTime command) {}

        @Override
        public void refuse(NodeCommand.Refuse command) {}

        @Override
        public void refuseStranger(NodeCommand.RefuseStranger command) {}

        @Override
        public void skip(NodeCommand.Skip command) {}

        @Override
        public void ordered(NodeCommand.Ordered command) {}
    }

    /** Nothing happens by itself. */
    private final class Members implements Membership {
        @Override
        public NodeId self() {
            return SELF;
        }

        @Override
        public Future<Void> start(Listener listener) {
            return Future.succeededFuture();
        }

        @Override
        public Map<NodeId, NodeAttributes> attributes() {
            return Map.of();
        }

        @Override
        public void rejoined() {
            effects.add("rejoined");
        }

        @Override
        public Future<Void> stop() {
            return Future.succeededFuture();
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

    private Moment moment() {
        long now = clock.now();
        return new Moment(now, clock.wallMillis(), clock.time());
    }

    /** All members but this one vanish. */
    private SplitBrainRunner lose(SplitStrategy strategy, @Nullable SplitBrainArbiter asked, NodeId... others) {
        SplitBrainSetup setup = new SplitBrainSetup("test", strategy, TIMES, asked, "lease", null);
        NodeParts parts = new NodeParts(
                SELF,
                1,
                new ShardingOptions(),
                new ElapsedClock(),
                new BusTransport(vertx, "", null, () -> 0),
                new Members(),
                new InMemoryStateStore(),
                () -> Future.failedFuture("nothing is remembered"));
        SafetyOptions alike =
                SafetyOptions.of(RegionSettings.safety(parts.options()).options());
        NodeSetup node = new NodeSetup(
                SELF,
                1,
                true,
                parts.membership().seats(),
                parts.times(),
                0,
                false,
                strategy.overridesMajority(),
                "test");
        Promise<SplitBrainRunner> running = Promise.promise();
        context.runOnContext(ignored -> {
            NodeControl control = new NodeControl(
                    node,
                    new SplitResolver(SELF, strategy, setup.times(), alike),
                    (type, begin) -> {
                        throw new IllegalStateException("nothing is coordinated");
                    },
                    moment());
            Decisions decisions = new Decisions();
            ControlLoop loop = new ControlLoop(control, this::moment, decisions, () -> {});
            SplitBrainRunner runner = new SplitBrainRunner(setup, control, parts, context, loop);
            decisions.runner = runner;
            List<NodeId> all = Stream.concat(Stream.of(SELF), Stream.of(others)).toList();
            Map<NodeId, PeerAttributes> said = all.stream()
                    .collect(Collectors.toMap(member -> member, member -> new PeerAttributes(Set.of(), true, alike)));
            loop.run((machine, at) -> machine.viewChanged(all, true, false, at));
            loop.run((machine, at) -> machine.attributesChanged(said, at));
            loop.run((machine, at) -> machine.viewChanged(List.of(SELF), true, false, at));
            vertx.setPeriodic(5, ticked -> loop.run(NodeControl::tick));
            running.complete(runner);
        });
        until("it is decided", () -> effects.contains("Stop") || effects.contains("GoOn"));
        return await(running.future());
    }

    @Test
    void anArbiterThatThrowsAnErrorHasRefused() {
        lose(new LeaseMajority(""), new Broken(), OTHER);
        assertEquals(
                List.of("Hold", "AskArbiter", "Stop"),
                effects.stream().distinct().toList());
        assertTrue(effects.size() > 3, "it was asked more than once");
    }

    @Test
    void aSideThatStoppedAndTakesPartAgainKeepsTheCachesForOthersNoLonger() {
        SplitBrainRunner runner = lose(new LeaseMajority(""), new Broken(), OTHER);
        effects.clear();
        runner.rejoin(new SplitCommand.Rejoin(false, false));
        assertEquals(List.of(), effects);
        runner.rejoin(new SplitCommand.Rejoin(true, false));
        assertEquals(List.of("rejoined"), effects);
    }

    @Test
    void ofTwoNodesTheOneThatWentOnGivesTheLeaseBackWhenItLeaves() {
        SplitBrainRunner runner = lose(new LeaseMajority(""), arbiter, OTHER);
        assertEquals(List.of("Hold", "AskArbiter", "GoOn"), effects);
        assertFalse(await(arbiter.acquire("lease", "b", "y")));
        await(runner.close());
        assertTrue(await(arbiter.acquire("lease", "b", "y")));
    }

    @Test
    void alsoIfItHadNoAnswer() {
        SplitBrainRunner runner = lose(new LeaseMajority(""), new Unheard(), OTHER);
        assertEquals(
                List.of("Hold", "AskArbiter", "Stop"),
                effects.stream().distinct().toList());
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
