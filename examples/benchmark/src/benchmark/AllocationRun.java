package benchmark;

import io.shardbus.model.ShardHash;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How long until every shard has a home: one entity of each is asked at the same moment, and has answered at the end.
 */
final class AllocationRun {
    static final Duration DEADLINE = Duration.ofMinutes(2);

    private final Arguments told;
    private final Path logs;
    private final int shards;

    AllocationRun(Arguments told, Path logs) {
        this.shards = told.number("shards", 10_000, 10, 65_536);
        this.told = told.with(new JsonObject().put("numberOfShards", shards));
        this.logs = logs;
    }

    void run() throws Exception {
        int count = told.number("hosts", 3, 1, 8);
        try (var hosts = new Hosts(count, told, logs)) {
            hosts.startReady(count);
            var node = hosts.node();
            var ids = oneIdForEachShard(shards);
            // from now on shards get homes: no waiting time is measured
            ask(node, ids[0]).await(Hosts.AWAIT_S, TimeUnit.SECONDS);
            double cpuBefore = hosts.cpu().seconds();
            long begin = System.nanoTime();
            var first = new AtomicLong();
            touch(node, ids, begin, first);
            double answered = GrowthRuns.seconds(begin);
            double cpu = hosts.cpu().seconds() - cpuBefore;
            var homes = Hosts.shards(Hosts.state(node));
            Hosts.await("all shards are at rest", () -> Hosts.active(Hosts.state(node)) == shards);
            GrowthRuns.print(
                    "growth allocation shards=%d hosts=%d all_s=%.2f cpu_s=%.2f first_ms=%.0f least=%d most=%d "
                            + "at_rest_s=%.2f",
                    shards,
                    count,
                    answered,
                    cpu,
                    first.get() / 1e6,
                    homes.getMin(),
                    homes.getMax(),
                    GrowthRuns.seconds(begin));
        }
    }

    /** Asks all at once, and waits for all answers. */
    static void touch(Node node, String[] ids, long begin, AtomicLong first) throws Exception {
        var answers = Arrays.stream(ids)
                .map(id -> ask(node, id).onSuccess(sum -> first.compareAndSet(0, System.nanoTime() - begin)))
                .toList();
        Future.all(answers).await(DEADLINE.toSeconds(), TimeUnit.SECONDS);
    }

    static String[] oneIdForEachShard(int shards) {
        var ids = new String[shards];
        int missing = shards;
        for (int i = 0; missing > 0; i++) {
            var id = "counter-" + i;
            int shard = ShardHash.shard(id, shards);
            if (ids[shard] == null) {
                ids[shard] = id;
                missing--;
            }
        }
        return ids;
    }

    static Future<Long> ask(Node node, String id) {
        return node.counters().entityRef(id).ask(new CounterMessage.AddAndGet(1, Payload.NONE), DEADLINE);
    }
}
