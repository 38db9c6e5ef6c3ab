package io.shardbus.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardbus.verify.Fault;
import io.shardbus.verify.FaultRun;
import io.shardbus.verify.FaultSession;
import io.shardbus.verify.Hosts;
import io.shardbus.verify.LocalCluster;
import io.shardbus.verify.NetworkNamespaces;
import io.shardbus.verify.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Faults that take long: a cluster of processes for each. {@code mvn verify -Pfaults} runs them. */
@Tag("long-fault")
@Timeout(600)
class LongProcessFaultsClusterIT {
    private static final int COUNTERS = 24;
    private static final String NO_NET = NetworkNamespaces.unavailable();

    private static LocalCluster start(int nodes) {
        return LocalCluster.start(NO_NET == null ? NetworkNamespaces.create(nodes) : Hosts.loopback(nodes), Map.of());
    }

    private static void check(FaultRun run, FaultSession session) {
        var wrong = session.end();
        System.out.println(run + " " + run.seen().failures());
        assertEquals(List.of(), wrong);
        assertEquals(List.of(), run.silent(), "do not answer again");
        assertTrue(run.whole(), "all nodes are one cluster again");
    }

    @ParameterizedTest(name = "{0} of the coordinator: {1}")
    @CsvSource({
        "stop10, true",
        "stop10, false",
        "stop60, true",
        "stop60, false",
        "term, true",
        "cut, false",
        "deaf, true",
        "link, true",
        "flap, true",
        "flap, false"
    })
    void oneOfThree(Fault fault, boolean coordinator) {
        assumeTrue(NO_NET == null || !fault.needsNet(), () -> "no links can be cut here: " + NO_NET);
        try (var cluster = start(3);
                var session = FaultSession.start(cluster, COUNTERS)) {
            int target = cluster.coordinator() % 3 + 1;
            check(session.run(fault, coordinator ? cluster.coordinator() : target), session);
        }
    }

    @Test
    @DisplayName("SPLIT-01 SPLIT-06 with 2 | 3 nodes, the coordinator on side 1: side 2 goes on, side"
            + " 1 refuses and comes back")
    void smallerSideOfFive() {
        assumeTrue(NO_NET == null, () -> "no links can be cut here: " + NO_NET);
        try (var cluster = start(5);
                var session = FaultSession.start(cluster, COUNTERS)) {
            int coordinator = cluster.coordinator();
            int companion = coordinator % 5 + 1;
            var smaller = List.of(coordinator, companion);
            var larger = cluster.numbers().stream()
                    .filter(number -> !smaller.contains(number))
                    .toList();
            check(
                    session.run(Fault.CUT, coordinator, () -> {
                        var net = cluster.net();
                        smaller.forEach(one -> larger.forEach(other -> net.cut(one, other)));
                        Waiting.until(
                                "side 1 is not ready",
                                Duration.ofSeconds(30),
                                () -> smaller.stream()
                                        .allMatch(number -> cluster.status(number, "/sharding/health/ready") == 503));
                        Waiting.until(
                                "side 2 is, with a coordinator of its own",
                                Duration.ofSeconds(30),
                                () -> larger.stream()
                                        .allMatch(number -> cluster.status(number, "/sharding/health/ready") == 200
                                                && larger.contains(cluster.coordinatorSeenBy(number))));
                        long now = System.nanoTime();
                        Waiting.until(
                                "side 2 has all counters",
                                Duration.ofSeconds(30),
                                () -> session.clients().silentSince(now).stream()
                                        .allMatch(sender -> smaller.stream()
                                                .anyMatch(number -> sender.endsWith(cluster.node(number)
                                                        .uri("/")
                                                        .toString()))));
                        net.heal();
                    }),
                    session);
        }
    }
}
