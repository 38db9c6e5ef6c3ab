package io.shardbus.daemon;

import static io.shardbus.testkit.ClusterTestKit.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.integration.LogLines;
import io.shardbus.options.DaemonOptions;
import io.shardbus.testkit.ClusterTestKit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class DaemonAtASplitIT {
    private static final int WORKERS = 5;
    private final RollCall calls = new RollCall();

    @Test
    @DisplayName("the side that stops logs nothing about sets of workers, while the other one starts them again")
    void theSideThatStopsIsSilent() {
        DaemonOptions feed = new DaemonOptions()
                .setName("feed")
                .setWorkers(WORKERS)
                .setKeepAliveIntervalMs(100)
                .setKeepAliveThrottleMs(20);
        try (var log = new LogLines(ShardedDaemonProcess.class.getName());
                var cluster = ClusterTestKit.start(3)) {
            cluster.nodes()
                    .forEach(node ->
                            await(ShardedDaemonProcess.start(node.vertx(), node.sharding(), feed, calls::worker)));
            ClusterTestKit.Node lone = cluster.node(0);
            cluster.until("all workers run", () -> calls.running().size() == WORKERS);
            cluster.cut(Set.of(0));
            cluster.until(
                    "the lone node stops", () -> !lone.sharding().clusterState().available());
            cluster.until("all workers run on the other side", () -> runElsewhere(lone));
            assertEquals(List.of(), log.with("cannot be read"));
        }
        assertEquals(List.of(), calls.doubles());
    }

    private boolean runElsewhere(ClusterTestKit.Node lone) {
        return calls.runningByNode().entrySet().stream()
                        .filter(entry -> !entry.getKey().equals(lone.id()))
                        .mapToLong(Map.Entry::getValue)
                        .sum()
                == WORKERS;
    }
}
