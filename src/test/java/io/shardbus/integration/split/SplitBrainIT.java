package io.shardbus.integration.split;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ShardingException;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.SharedArbiter;
import io.shardbus.integration.SplitCluster;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import io.shardbus.options.ShardingOptions;
import io.shardbus.options.SplitBrainOptions;
import io.shardbus.spi.SplitBrainArbiter;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clusters in one JVM are cut in two and healed. The registries of SPLIT-01 and SPLIT-02 look on in every case. */
class SplitBrainIT {
    private static final Duration LONG = Duration.ofSeconds(20);

    @Test
    @DisplayName("SPLIT-01 SPLIT-02 SPLIT-03 keep-majority 1 | 2: the one, which coordinated, stops first, refuses at"
            + " once, is not ready,"
            + " and takes part again by itself")
    void theMajorityGoesOn() {
        try (var split = new SplitCluster(3, TestCluster.options().setRebalanceIntervalMs(300))) {
            var lost = split.node(0);
            assertEquals(lost.id(), split.cluster.coordinator());
            split.cut(Set.of(0));
            split.untilMembers(1, lost);
            List<Future<String>> waiting = split.askAll(lost);
            split.untilStopped(lost);
            for (Future<String> ask : waiting) {
                assertTrue(ask.isComplete(), "nothing waits on a side that has stopped");
                if (ask.failed()) {
                    var code = assertThrows(ShardingException.class, () -> await(ask))
                            .code();
                    // one that had left for the other side may have been executed there
                    assertTrue(
                            Set.of(FailureCode.NOT_IN_MAJORITY, FailureCode.OUTCOME_UNKNOWN)
                                    .contains(code),
                            code::name);
                }
            }
            split.answersAll(split.node(1));
            split.answersAll(split.node(2));
            assertEquals(2, split.reigns.begins());
            split.heal();
            split.untilWhole();
        }
    }

    @Test
    @DisplayName("SPLIT-01 SPLIT-03 keep-majority 1 | 1: both stop, and both are back when they meet again")
    void noSideHasTheMajorityOfTwo() {
        try (var split = new SplitCluster(2, TestCluster.options().setRebalanceIntervalMs(300))) {
            split.cut(Set.of(0));
            split.nodes().forEach(split::untilStopped);
            split.heal();
            split.untilWhole();
        }
    }

    private static ShardingOptions options(SplitBrainOptions split) {
        return TestCluster.options().setRebalanceIntervalMs(300).setSplitBrain(split);
    }

    @Test
    @Tag("long-fault")
    @DisplayName("SPLIT-01 SPLIT-07 keep-oldest 1 | 1: the older goes on although it has no majority, the"
            + " other is back after the heal")
    void theOldestGoesOn() {
        try (var split = new SplitCluster(2, options(new SplitBrainOptions().setStrategy("keep-oldest")))) {
            var oldest = split.node(0);
            var lost = split.node(1);
            split.cut(Set.of(1));
            split.untilStopped(lost);
            split.untilMembers(1, oldest);
            split.answersAll(oldest);
            assertTrue(oldest.sharding().isReady());
            split.heal();
            split.untilWhole();
        }
    }

    @Test
    @Tag("long-fault")
    @DisplayName(
            "SPLIT-01 keep-oldest 1 | 2, not down if alone: the majority of the caches stops, the oldest overrides it")
    void theOldestOverridesTheMajority() {
        var oldest = new SplitBrainOptions().setStrategy("keep-oldest").setDownIfAlone(false);
        try (var split = new SplitCluster(3, options(oldest))) {
            split.cut(Set.of(0));
            split.untilStopped(split.node(1));
            split.untilStopped(split.node(2));
            split.answersAll(split.node(0));
            split.heal();
            split.untilWhole();
        }
    }

    @Test
    @Tag("long-fault")
    @DisplayName("SPLIT-01 SPLIT-05 static-quorum 2 | 1: the quorum goes on")
    void theQuorumGoesOn() {
        var quorum = new SplitBrainOptions().setStrategy("static-quorum").setQuorumSize(2);
        try (var split = new SplitCluster(3, options(quorum))) {
            split.cut(Set.of(2));
            split.untilStopped(split.node(2));
            split.answersAll(split.node(0));
            split.answersAll(split.node(1));
            split.heal();
            split.untilWhole();
        }
    }

    /** Of so many nodes the first ones are cut off; the others go on, or the first do. */
    private static void goOn(SplitBrainOptions options, int nodes, int cut, boolean firstGoOn) {
        try (var split = new SplitCluster(nodes, options(options))) {
            var first = split.nodes().subList(0, cut);
            var others = split.nodes().subList(cut, nodes);
            split.cut(IntStream.range(0, cut).boxed().collect(Collectors.toSet()));
            (firstGoOn ? others : first).forEach(split::untilStopped);
            for (var node : firstGoOn ? first : others) {
                split.untilMembers(firstGoOn ? cut : nodes - cut, node);
                split.answersAll(node);
                assertTrue(node.sharding().isReady(), () -> node.id() + " is ready");
            }
            split.heal();
            split.untilWhole();
        }
    }

    @Test
    @Tag("long-fault")
    @DisplayName("SPLIT-01 SPLIT-05 static-quorum 1 | 2: the quorum goes on without the oldest, which coordinated")
    void theQuorumGoesOnWithoutTheOldest() {
        goOn(new SplitBrainOptions().setStrategy("static-quorum").setQuorumSize(2), 3, 1, false);
    }

    @Test
    @Tag("long-fault")
    @DisplayName("SPLIT-01 SPLIT-07 keep-oldest 3 | 3: the half of the oldest goes on")
    void theHalfOfTheOldestGoesOn() {
        goOn(new SplitBrainOptions().setStrategy("keep-oldest"), 6, 3, true);
    }

    @Test
    @Tag("long-fault")
    @DisplayName("SPLIT-01 SPLIT-15 keep-majority 2 | 2 with a tie-break by age: the half of the oldest goes on")
    void theTieBreakDecides() {
        goOn(new SplitBrainOptions().setTieBreak("oldest"), 4, 2, true);
    }

    @Test
    @Tag("long-fault")
    @DisplayName("SPLIT-01 SPLIT-08 lease-majority 2 | 3, the oldest on side 1: the larger side asks first and goes on")
    void theLargerSideHasTheLease() {
        goOn(
                new SplitBrainOptions()
                        .setStrategy("lease-majority")
                        .setArbiter(SharedArbiter.class.getName())
                        .setMinorityDelayMs(1000)
                        .setReleaseAfterMs(4000),
                5,
                2,
                false);
    }

    /** An arbiter that cannot be reached. */
    public static final class Away implements SplitBrainArbiter {
        @Override
        public Future<Boolean> acquire(String name, String owner, String stamp) {
            return Future.failedFuture("the arbiter is away");
        }

        @Override
        public Future<@Nullable String> release(String name, String owner, String stamp) {
            return Future.failedFuture("the arbiter is away");
        }
    }

    /** An arbiter that never answers. */
    public static final class Silent implements SplitBrainArbiter {
        @Override
        public Future<Boolean> acquire(String name, String owner, String stamp) {
            return Promise.<Boolean>promise().future();
        }

        @Override
        public Future<@Nullable String> release(String name, String owner, String stamp) {
            return Promise.<@Nullable String>promise().future();
        }
    }

    @ParameterizedTest
    @Tag("long-fault")
    @ValueSource(classes = {Away.class, Silent.class})
    @DisplayName(
            "SPLIT-01 SPLIT-03 SPLIT-57 lease-majority 2 | 1, no side reaches the arbiter: both sides stop, and are"
                    + " back after the heal")
    void withoutTheArbiterNoSideGoesOn(Class<?> arbiter) {
        var lease = new SplitBrainOptions()
                .setStrategy("lease-majority")
                .setArbiter(arbiter.getName())
                .setMinorityDelayMs(500);
        try (var split = new SplitCluster(3, options(lease))) {
            split.cut(Set.of(2));
            split.nodes().forEach(split::untilStopped);
            split.heal();
            split.untilWhole();
        }
    }

    @Test
    @Tag("long-fault")
    @DisplayName(
            "SPLIT-01 SPLIT-03 SPLIT-04 static-quorum 3 with 2 | 1: the majority of the caches is not enough, all stop")
    void tooFewForTheQuorum() {
        allStopBelowTheQuorum(3, Set.of(2));
    }

    @Test
    @Tag("long-fault")
    @DisplayName("SPLIT-01 SPLIT-03 SPLIT-04 static-quorum 3 with 2 | 2: neither half has it, all stop")
    void neitherHalfHasTheQuorum() {
        allStopBelowTheQuorum(4, Set.of(2, 3));
    }

    private static void allStopBelowTheQuorum(int nodes, Set<Integer> cutOff) {
        var quorum = new SplitBrainOptions().setStrategy("static-quorum").setQuorumSize(3);
        try (var split = new SplitCluster(nodes, options(quorum))) {
            split.cut(cutOff);
            split.nodes().forEach(split::untilStopped);
            split.heal();
            split.untilWhole();
        }
    }

    @Test
    @Tag("long-fault")
    @DisplayName("SPLIT-01 SPLIT-03 SPLIT-38 CONF-02 down-all, and a custom strategy named by its class, stop all;"
            + " healed, all are back")
    void allStop() {
        NeverGoesOn.ASKED.clear();
        for (String strategy : List.of("down-all", NeverGoesOn.class.getName())) {
            try (var split = new SplitCluster(2, options(new SplitBrainOptions().setStrategy(strategy)))) {
                split.cut(Set.of(1));
                split.nodes().forEach(split::untilStopped);
                split.heal();
                split.untilWhole();
            }
        }
        assertEquals(2, NeverGoesOn.ASKED.size());
        assertTrue(NeverGoesOn.ASKED.stream()
                .allMatch(seen -> seen.members().size() == 2 && seen.lost().size() == 1));
    }

    @Tag("long-fault")
    @Test
    @DisplayName("SPLIT-01 SPLIT-08 SPLIT-60 lease-majority 1 | 1: the arbiter lets one go on, the other"
            + " stops; the lease is given back")
    void theArbiterDecides() {
        SharedArbiter.LOG.clear();
        var lease = new SplitBrainOptions()
                .setStrategy("lease-majority")
                .setArbiter(SharedArbiter.class.getName())
                .setMinorityDelayMs(500)
                .setReleaseAfterMs(4000);
        try (var split = new SplitCluster(2, options(lease))) {
            split.cut(Set.of(1));
            var byName = split.nodes().stream()
                    .sorted(Comparator.comparing(TestCluster.Node::id))
                    .toList();
            split.untilStopped(byName.get(1));
            split.answersAll(byName.get(0));
            String name = split.cluster.name() + "-shardbus-split-brain";
            String winner = name + " " + byName.get(0).id();
            until("the lease is given back", () -> SharedArbiter.LOG.contains("release " + winner));
            assertEquals(
                    List.of(
                            "acquire " + winner + " true",
                            "acquire " + name + " " + byName.get(1).id() + " false",
                            "release " + winner),
                    SharedArbiter.LOG);
            split.heal();
            split.untilWhole();
        }
    }

    @Test
    @Tag("long-fault")
    @DisplayName("SPLIT-01 SPLIT-02 SPLIT-06 keep-majority 4 | 5, the oldest on side 1: side 2 goes on, side"
            + " 1 is back after the heal")
    void fiveOfNineGoOn() {
        try (var split = new SplitCluster(9, TestCluster.options().setRebalanceIntervalMs(300))) {
            var smaller = split.nodes().subList(0, 4);
            var larger = split.nodes().subList(4, 9);
            split.cut(Set.of(0, 1, 2, 3));
            smaller.forEach(split::untilStopped);
            larger.forEach(node -> split.untilMembers(5, node));
            larger.forEach(split::answersAll);
            assertEquals(2, split.reigns.begins());
            split.heal();
            split.untilWhole();
        }
    }

    @Test
    @DisplayName(
            "SPLIT-61 a node leaves in good order while another sends to it: the other never takes itself for cut off")
    void aLeaveIsNoSplit() {
        try (var split = new SplitCluster(2, TestCluster.options().setRebalanceIntervalMs(300))) {
            var stays = split.node(0);
            var leaving = split.node(1);
            var left = new AtomicReference<Future<Void>>();
            split.untilWhole();
            everyFifthOfASecond(25, number -> {
                if (number == 5) {
                    left.set(split.cluster.leaving(leaving));
                }
                assertTrue(stays.sharding().isReady(), "ready at message " + number);
                assertTrue(stays.sharding().clusterState().available(), "available at message " + number);
                await(split.ask(stays, "e" + number % 10, Duration.ofSeconds(5)));
            });
            await(left.get());
            split.untilMembers(1, stays);
            assertTrue(stays.sharding().isReady());
        }
    }

    @Test
    @Tag("long-fault")
    @DisplayName("SPLIT-62 2 | 2, each side has excluded the other and no side decides: healed, messages flow"
            + " for 8 s and no node ends")
    void exclusionByTheOtherSideIsNotBelieved() {
        var undecided = TestCluster.options().setRebalanceIntervalMs(300).setDecisionTimeMs(60_000);
        try (var split = new SplitCluster(4, undecided)) {
            split.cut(Set.of(0, 1));
            split.nodes().forEach(node -> split.untilMembers(2, node));
            split.heal();
            split.untilWhole();
            everyFifthOfASecond(40, number -> {
                for (var node : split.nodes()) {
                    assertTrue(node.sharding().isReady(), () -> node.id() + " at message " + number);
                    await(split.ask(node, "e" + number % 10, Duration.ofSeconds(5)));
                }
            });
            split.untilWhole();
        }
    }

    private static void everyFifthOfASecond(int times, IntConsumer step) {
        long start = System.nanoTime();
        for (int i = 0; i < times; i++) {
            long due = start + Duration.ofMillis(200L * i).toNanos();
            until("its time has come", () -> System.nanoTime() >= due);
            step.accept(i);
        }
    }

    @Test
    @DisplayName("FAIL-07 after a heal: who is passivated starts anew at 0 with what is sent meanwhile")
    void passivationWorksAfterAHeal() {
        try (var split = new SplitCluster(3, TestCluster.options().setRebalanceIntervalMs(300))) {
            split.cluster.startType(Counter.definition());
            split.cut(Set.of(2));
            split.untilMembers(1, split.node(2));
            split.heal();
            split.untilWhole();
            for (var node : split.nodes()) {
                var counter = node.counter("put-away-" + node.id());
                assertEquals(5, await(counter.ask(new CounterMessage.AddAndGet(5), LONG)));
                String first =
                        await(counter.ask(new CounterMessage.Where(), LONG)).incarnation();
                counter.tell(new CounterMessage.PutAway());
                until(
                        "another instance",
                        () -> !first.equals(await(counter.ask(new CounterMessage.Where(), LONG))
                                .incarnation()));
                assertEquals(2, await(counter.ask(new CounterMessage.AddAndGet(2), LONG)));
            }
        }
    }

    @Test
    @DisplayName(
            "CONF-01 a node that decides splits in another way is refused when it joins, with both ways in the reason")
    void anotherStrategyIsRefused() {
        try (var cluster = new TestCluster().start(1, TestCluster.options())) {
            cluster.startType(Counter.definition());
            var other = cluster.startNode(options(new SplitBrainOptions().setStrategy("down-all")));
            Future<?> start = other.sharding().start(Counter.definition());
            var refused = assertThrows(ShardingException.class, () -> await(start));
            assertEquals(FailureCode.INCOMPATIBLE, refused.code());
            assertTrue(
                    refused.getMessage().contains("splitBrain is 'down-all' here and 'keep-majority' in the cluster"),
                    refused::getMessage);
        }
    }

    @Test
    @DisplayName("CONF-01 a node that may ask the arbiter later than the others think is refused when it joins")
    void anotherTimeForTheArbiterIsRefused() {
        var lease = new SplitBrainOptions().setStrategy("lease-majority").setArbiter(SharedArbiter.class.getName());
        try (var cluster = new TestCluster().start(1, options(lease))) {
            cluster.startType(Counter.definition());
            var later = cluster.startNode(options(new SplitBrainOptions(lease).setMinorityDelayMs(30_000)));
            var slower = cluster.startNode(options(lease).setDecisionTimeMs(20_000));
            for (var other : List.of(later, slower)) {
                Future<?> start = other.sharding().start(Counter.definition());
                assertEquals(FailureCode.INCOMPATIBLE, LoneNode.failureCode(start));
            }
            var same = cluster.startNode(options(lease));
            await(same.sharding().start(Counter.definition()));
        }
    }
}
