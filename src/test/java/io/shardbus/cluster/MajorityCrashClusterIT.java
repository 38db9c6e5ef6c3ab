package io.shardbus.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardbus.verify.FaultSession;
import io.shardbus.verify.Hosts;
import io.shardbus.verify.LocalCluster;
import io.shardbus.verify.NetworkNamespaces;
import io.shardbus.verify.Waiting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** Two of three processes crash at once: the third is in the minority until they are proven dead. */
@Tag("long-fault")
@Timeout(300)
@EnabledIf("hostsHaveMarks")
class MajorityCrashClusterIT {
    /** Longer than a node that vanished is thought of as one that may come back. */
    private static final Duration LATE = Duration.ofSeconds(20);

    static boolean hostsHaveMarks() {
        return Files.isReadable(Path.of("/proc/sys/kernel/random/boot_id"));
    }

    @Test
    @DisplayName("a majority is killed at once and started again at once, at the same addresses: the cluster heals"
            + " without a full stop")
    void theCrashedHaveSuccessors() {
        try (var cluster = LocalCluster.start(Hosts.loopback(3), Map.of());
                var session = FaultSession.start(cluster, 8)) {
            var crashed = killAllBut(cluster, cluster.coordinator());
            var starts = crashed.stream()
                    .map(number -> Waiting.beside(() -> cluster.restart(number)))
                    .toList();
            starts.forEach(CompletableFuture::join);
            long restarted = System.nanoTime();
            assertTrue(Waiting.comesTrue(Duration.ofSeconds(60), cluster::isWhole), "not whole again");
            assertEquals(List.of(), session.untilAllAnswer(restarted), "do not answer again");
            assertEquals(List.of(), session.end());
        }
    }

    private static List<Integer> killAllBut(LocalCluster cluster, int survivor) {
        var crashed =
                cluster.numbers().stream().filter(number -> number != survivor).toList();
        crashed.forEach(number -> cluster.node(number).kill());
        crashed.forEach(number -> cluster.node(number).awaitExit());
        return crashed;
    }

    @Test
    @DisplayName("a majority is killed at once and started again long after: all seats are there, so"
            + " the cluster is founded anew")
    void theCrashedStartAgainMuchLater() {
        var reason = NetworkNamespaces.unavailable();
        assumeTrue(reason == null, reason);
        try (var cluster = LocalCluster.start(NetworkNamespaces.create(3), Map.of());
                var session = FaultSession.start(cluster, 8)) {
            var crashed = killAllBut(cluster, cluster.coordinator());
            Waiting.pass(LATE);
            var starts = crashed.stream()
                    .map(number -> Waiting.beside(() -> cluster.restart(number)))
                    .toList();
            starts.forEach(CompletableFuture::join);
            long restarted = System.nanoTime();
            assertTrue(Waiting.comesTrue(Duration.ofSeconds(60), cluster::isWhole), "not whole again");
            assertEquals(List.of(), session.untilAllAnswer(restarted), "do not answer again");
            assertEquals(List.of(), session.end());
        }
    }

    @Test
    @DisplayName("a majority is killed on one host: that its processes are gone can be seen there,"
            + " and the last goes on alone")
    void theLastProcessOfAHostGoesOn() {
        try (var cluster = LocalCluster.start(Hosts.loopback(3), Map.of(LocalCluster.MINIMUM_MEMBERS, "1"))) {
            int survivor = cluster.coordinator();
            killAllBut(cluster, survivor);
            assertTrue(
                    Waiting.comesTrue(Duration.ofSeconds(30), () -> statusOf(cluster, survivor) == 503),
                    "does not stop");
            assertTrue(
                    Waiting.comesTrue(Duration.ofSeconds(60), () -> statusOf(cluster, survivor) == 200),
                    () -> cluster.node(survivor).log());
        }
    }

    private static int statusOf(LocalCluster cluster, int number) {
        var response = cluster.request(number, "GET", "/sharding/health/ready");
        return response == null ? 0 : response.statusCode();
    }
}
