package io.shardbus.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardbus.model.ShardHash;
import io.shardbus.verify.Fault;
import io.shardbus.verify.FaultSession;
import io.shardbus.verify.LocalCluster;
import io.shardbus.verify.NetworkNamespaces;
import io.shardbus.verify.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Links between processes are cut while messages are on their way. {@code mvn verify -Pfaults} runs them. */
@Tag("long-fault")
@Timeout(300)
class CutLinksClusterIT {
    private static final int SHARDS = 100;
    private static final int LEASE_MS = 8000;

    @BeforeAll
    static void onlyWhereLinksCanBeCut() {
        var reason = NetworkNamespaces.unavailable();
        assumeTrue(reason == null, () -> "no links can be cut here: " + reason);
    }

    private static LocalCluster start(int nodes) {
        return LocalCluster.start(NetworkNamespaces.create(nodes), Map.of());
    }

    private static NetworkNamespaces net(LocalCluster cluster) {
        var net = cluster.net();
        assertNotNull(net);
        return net;
    }

    @Test
    @DisplayName("the coordinator is cut from both others, or from the first member alone: its node is not"
            + " ready when its lease is over")
    void theCutCoordinatorIsNotReady() {
        try (var cluster = start(3);
                var session = FaultSession.start(cluster, 24)) {
            int coordinator = cluster.coordinator();
            var run = session.run(Fault.CUT, coordinator, () -> {
                cluster.numbers().stream()
                        .filter(other -> other != coordinator)
                        .forEach(other -> net(cluster).cut(coordinator, other));
                Waiting.until(
                        "not ready",
                        Duration.ofSeconds(9),
                        () -> cluster.status(coordinator, "/sharding/health/ready") == 503);
                net(cluster).heal();
            });
            assertEquals(List.of(), session.end());
            assertTrue(run.isGood(), run::toString);
        }
    }

    @Test
    @DisplayName("FAIL-01 FAIL-02 nothing passes between two nodes for 3 s, then the coordinator's is gone: new shards"
            + " are answered by the"
            + " others within 20 s, also those that were asked for during the cut")
    void coordinatorDiesAfterACut() {
        try (var cluster = start(3)) {
            int coordinator = cluster.coordinator();
            int survivor = coordinator % 3 + 1;
            IntStream.rangeClosed(1, 4).forEach(i -> assertNotNull(cluster.get(survivor, "/counters/old" + i)));
            var fresh = inNewShards(cluster, survivor, 4);
            net(cluster).cut(coordinator, survivor);
            var asked = fresh.subList(0, 2).stream()
                    .map(id -> Waiting.beside(() -> cluster.get(survivor, "/counters/" + id)))
                    .toList();
            Waiting.pass(Duration.ofSeconds(3));
            cluster.node(coordinator).kill();
            net(cluster).heal();
            var ids = Stream.concat(Stream.of("old1", "old2", "old3", "old4"), fresh.stream());
            untilAnswered(cluster, List.of(survivor), ids.toList(), coordinator, Duration.ofSeconds(20));
            asked.forEach(CompletableFuture::join);
        }
    }

    @Test
    @DisplayName("FAIL-09 one of five is cut off while counters start through the others: all answer through all"
            + " survivors, and nothing"
            + " through it, within 30 s")
    void oneOfFiveIsCutOff() {
        try (var cluster = start(5)) {
            int second = cluster.coordinator() % 5 + 1;
            var survivors =
                    cluster.numbers().stream().filter(node -> node != second).toList();
            IntStream.rangeClosed(1, 5).forEach(i -> assertNotNull(cluster.get(second, "/counters/f" + i)));
            var flying = new ArrayList<CompletableFuture<Void>>();
            flying.addAll(ask(cluster, 6, 20, i -> survivors.get(1)));
            survivors.forEach(other -> net(cluster).cut(second, other));
            flying.addAll(ask(cluster, 21, 40, i -> survivors.get(2 + i % 2)));
            var ids = IntStream.rangeClosed(1, 50).mapToObj(i -> "f" + i).toList();
            untilAnswered(cluster, survivors, ids, second, Duration.ofSeconds(30));
            flying.forEach(CompletableFuture::join);
            for (var id : ids) {
                assertNotEquals(200, cluster.status(second, "/counters/" + id + "?timeoutMs=200"), id);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1,2", "0,1"})
    @DisplayName("nothing passes from one member to another for 15 s, the first in the view among them or not: no"
            + " counter is silent for as"
            + " long as a lease lasts, no entity answers twice, and all are back")
    void deadWay(int from, int to) {
        try (var cluster = start(3);
                var session = FaultSession.start(cluster, 24)) {
            int first = cluster.firstMember();
            int sender = (first - 1 + from) % 3 + 1;
            int receiver = (first - 1 + to) % 3 + 1;
            var run = session.run(Fault.LINK, sender, () -> {
                net(cluster).cutOneWay(sender, receiver);
                Waiting.pass(Duration.ofSeconds(15));
                net(cluster).heal();
            });
            System.out.println("first=" + first + " dead way from " + sender + " to " + receiver + ": " + run);
            assertEquals(List.of(), session.end());
            assertTrue(run.isGood(), run::toString);
            assertTrue(run.seen().silenceMs() < LEASE_MS, run::toString);
        }
    }

    private static List<CompletableFuture<Void>> ask(
            LocalCluster cluster, int from, int to, IntFunction<Integer> through) {
        return IntStream.rangeClosed(from, to)
                .mapToObj(i -> Waiting.beside(() -> cluster.get(through.apply(i), "/counters/f" + i)))
                .toList();
    }

    /** Waits until every id has answered through every one of some nodes; from the lost one no answer may come. */
    private static void untilAnswered(
            LocalCluster cluster, List<Integer> through, List<String> ids, int lost, Duration atMost) {
        record Question(int node, String id) {}
        var missing = new ArrayList<Question>();
        through.forEach(node -> ids.forEach(id -> missing.add(new Question(node, id))));
        Waiting.until("answers through " + through, atMost, () -> {
            missing.removeIf(question -> {
                var state = cluster.get(question.node(), "/counters/" + question.id() + "?timeoutMs=100");
                if (state != null) {
                    var home = state.getString("node");
                    assertNotEquals(Integer.toString(lost), home.replaceFirst("^counter-([0-9]+).*$", "$1"));
                }
                return state != null;
            });
            return missing.isEmpty();
        });
    }

    private static List<String> inNewShards(LocalCluster cluster, int asked, int count) {
        var type = cluster.get(asked, "/sharding/api/types/counter");
        assertNotNull(type);
        var shards = type.getJsonArray("shards");
        var known = IntStream.range(0, shards.size())
                .mapToObj(i -> shards.getJsonObject(i).getInteger("shard"))
                .toList();
        return IntStream.range(0, 10_000)
                .mapToObj(i -> "new" + i)
                .filter(id -> !known.contains(ShardHash.shard(id, SHARDS)))
                .limit(count)
                .toList();
    }
}
