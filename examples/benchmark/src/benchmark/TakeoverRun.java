package benchmark;

import io.shardbus.model.NodeId;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How long until a new coordinator has the whole table: the old one, which hosts nothing, leaves in good order or is
 * killed.
 */
final class TakeoverRun {
    private final Arguments told;
    private final Path logs;
    private final int shards;

    TakeoverRun(Arguments told, Path logs) {
        this.shards = told.number("shards", 10_000, 10, 65_536);
        this.told = told.with(new JsonObject().put("numberOfShards", shards));
        this.logs = logs;
    }

    void run() throws Exception {
        int count = told.number("hosts", 3, 1, 8);
        try (var hosts = new Hosts(count + 1, told, logs)) {
            var first = hosts.startProxy();
            var before = new NodeId(first.awaitReady());
            hosts.startReady(count);
            var node = hosts.node();
            AllocationRun.touch(node, AllocationRun.oneIdForEachShard(shards), System.nanoTime(), new AtomicLong());
            Hosts.await(
                    "the first node coordinates all shards",
                    () -> before.equals(coordinator(node)) && Hosts.active(Hosts.state(node)) == shards);
            measure(node, first, before, count);
        }
    }

    private void measure(Node node, HostProcess first, NodeId before, int count) throws Exception {
        long begin = System.nanoTime();
        if (told.has("kill")) {
            first.kill();
        } else {
            first.terminate();
        }
        Hosts.await("another node coordinates", () -> {
            var now = coordinator(node);
            return now != null && !now.equals(before);
        });
        double elected = GrowthRuns.seconds(begin);
        Hosts.await("the new coordinator knows all shards", () -> Hosts.active(Hosts.state(node)) == shards);
        double rebuilt = GrowthRuns.seconds(begin);
        GrowthRuns.print(
                "growth takeover event=%s shards=%d hosts=%d new_coordinator_s=%.2f table_after_that_s=%.2f all_s=%.2f",
                told.has("kill") ? "kill" : "term", shards, count, elected, rebuilt - elected, rebuilt);
    }

    private static NodeId coordinator(Node node) {
        return node.sharding().clusterState().coordinator();
    }
}
