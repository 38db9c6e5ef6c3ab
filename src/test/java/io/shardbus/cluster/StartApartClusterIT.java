package io.shardbus.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardbus.integration.WholeMachine;
import io.shardbus.verify.Fault;
import io.shardbus.verify.FaultSession;
import io.shardbus.verify.LocalCluster;
import io.shardbus.verify.NetworkNamespaces;
import io.shardbus.verify.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes of three, with their seats in a list, that start again while a cut keeps them from the one that goes on. */
@Timeout(240)
@Tag("slow")
@WholeMachine
class StartApartClusterIT {
    private static final int COUNTERS = 24;
    private static final Fault APART = Fault.of("apart");
    /** Longer than three leases: after two a side without caches may found the cluster anew with all seats. */
    private static final Duration CUT = Duration.ofSeconds(25);

    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(30);

    @Test
    @DisplayName("SPLIT-01 a node that starts behind a cut is not ready and founds nothing, the others answer, and no"
            + " counter contradicts itself after the cut")
    void oneOfThree() {
        startApart(1);
    }

    @Test
    @DisplayName("SPLIT-01 two of three nodes that left in order and start behind a cut found nothing beside the last"
            + " one, which answers, and no counter contradicts itself after the cut")
    void twoOfThree() {
        startApart(2);
    }

    private static void startApart(int count) {
        var reason = NetworkNamespaces.unavailable();
        assumeTrue(reason == null, () -> "no links can be cut here: " + reason);
        try (var cluster = LocalCluster.start(NetworkNamespaces.create(3), Map.of());
                var session = FaultSession.start(cluster, COUNTERS)) {
            var starting = cluster.numbers().subList(3 - count, 3);
            var staying = cluster.numbers().subList(0, 3 - count);
            var run = session.run(APART, starting.get(0), () -> startApart(cluster, session, starting, staying));
            System.out.println(run + " " + run.seen().failures());
            assertEquals(List.of(), session.end());
            assertTrue(run.isGood(), run::toString);
        }
    }

    private static void startApart(
            LocalCluster cluster, FaultSession session, List<Integer> starting, List<Integer> staying) {
        for (int number : starting) {
            cluster.node(number).terminate();
            assertEquals(0, cluster.node(number).awaitExit());
        }
        var net = cluster.net();
        assertNotNull(net);
        starting.forEach(one -> staying.forEach(other -> net.cut(one, other)));
        long cut = System.nanoTime();
        var started = starting.stream()
                .map(number -> Waiting.beside(() -> cluster.restart(number)))
                .toList();
        assertFalse(
                Waiting.comesTrue(CUT, () -> starting.stream().anyMatch(number -> isReady(cluster, number))),
                "a node that is apart is ready");
        starting.forEach(number -> assertFalse(
                cluster.node(number).log().contains(": coordinating"),
                () -> cluster.node(number).log()));
        Waiting.until(
                "the others answer",
                LONGEST_ANSWER,
                () -> session.clients().silentSince(cut).stream()
                        .noneMatch(sender -> staying.stream().anyMatch(number -> isThrough(cluster, number, sender))));
        net.heal();
        started.forEach(CompletableFuture::join);
    }

    private static boolean isReady(LocalCluster cluster, int number) {
        return cluster.status(number, "/sharding/health/ready") == 200;
    }

    private static boolean isThrough(LocalCluster cluster, int number, String sender) {
        return sender.endsWith(cluster.node(number).uri("/").toString());
    }
}
