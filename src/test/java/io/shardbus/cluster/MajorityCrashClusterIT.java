package io.shardbus.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.verify.FaultSession;
import io.shardbus.verify.Hosts;
import io.shardbus.verify.LocalCluster;
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
    static boolean hostsHaveMarks() {
        return Files.isReadable(Path.of("/proc/sys/kernel/random/boot_id"));
    }

    @Test
    @DisplayName(
            "a majority is killed at once and started again at once, at the same addresses: the cluster heals without a full stop")
    void theCrashedHaveSuccessors() {
        try (var cluster = LocalCluster.start(Hosts.loopback(3), Map.of());
                var session = FaultSession.start(cluster, 8)) {
            int survivor = cluster.coordinator();
            var crashed = cluster.numbers().stream()
                    .filter(number -> number != survivor)
                    .toList();
            crashed.forEach(number -> cluster.node(number).kill());
            crashed.forEach(number -> cluster.node(number).awaitExit());
            var starts = crashed.stream()
                    .map(number -> CompletableFuture.runAsync(() -> cluster.restart(number)))
                    .toList();
            starts.forEach(CompletableFuture::join);
            long restarted = System.nanoTime();
            assertTrue(Waiting.comesTrue(Duration.ofSeconds(60), cluster::isWhole), "not whole again");
            assertEquals(List.of(), session.untilAllAnswer(restarted), "do not answer again");
            assertEquals(List.of(), session.end());
        }
    }
}
