package io.shardbus.cluster;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.TestAuthority;
import io.shardbus.integration.TestCluster;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes with TLS are killed and frozen; seen from a node that hosts nothing. */
@Tag("slow")
class TlsLossClusterIT {
    private static final ShardingOptions OPTIONS = new ShardingOptions().setLanes(2);

    /** Missing heartbeats alone tell after 3 s at the earliest, and half a second is left for an answer then. */
    private static final long WITHOUT_HEARTBEATS_MS = 3400;

    private final Processes processes = new Processes();
    private final TestAuthority authority = new TestAuthority("processes");
    private TestCluster here;

    @TempDir
    private Path directory;

    @AfterEach
    void close() {
        try (processes) {
            if (here != null) {
                here.close();
            }
        }
    }

    private List<Processes.Host> start(int count) {
        List<Processes.Host> hosts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            processes.secure(authority.node(directory, "host-" + i));
            hosts.add(processes.start(1, OPTIONS));
            hosts.get(i).nodes();
        }
        here = processes.join().secure(authority.node(directory, "observer"));
        TestCluster.Node observer = here.startNode(new ShardingOptions(OPTIONS).setCoordinator(false));
        await(observer.sharding().start(Counter.definition().withRole(Processes.HOSTING)));
        here.untilMembers(count + 1);
        return hosts;
    }

    private void untilAllCountersAnswer() {
        List<Integer> silent = new ArrayList<>(IntStream.range(0, 50).boxed().toList());
        until("all counters answer", () -> {
            silent.removeIf(number -> answers("c" + number));
            return silent.isEmpty();
        });
    }

    private boolean answers(String counter) {
        Future<Long> answer = here.node(0).counter(counter).ask(new CounterMessage.AddAndGet(1));
        return await(answer.transform(asked -> Future.succeededFuture(asked.succeeded())));
    }

    @Test
    @DisplayName("a killed process is noticed by its closed connection with TLS, too; a frozen one"
            + " is left out and comes back")
    void killedAndFrozen() {
        List<Processes.Host> hosts = start(3);
        untilAllCountersAnswer();
        hosts.get(2).crash();
        long start = System.nanoTime();
        here.untilMembers(3);
        long seen = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        System.out.println("tls: killed, out of the view after " + seen + " ms");
        assertTrue(seen < WITHOUT_HEARTBEATS_MS, () -> seen + " ms");
        untilAllCountersAnswer();

        hosts.get(1).freeze();
        long frozen = System.nanoTime();
        here.untilMembers(2);
        System.out.println("tls: frozen, out of the view after "
                + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - frozen) + " ms");
        untilAllCountersAnswer();
        hosts.get(1).thaw();
        long thawed = System.nanoTime();
        here.untilMembers(3);
        System.out.println("tls: thawed, a member again after "
                + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - thawed) + " ms");
        untilAllCountersAnswer();
    }
}
