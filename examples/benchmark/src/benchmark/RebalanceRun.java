package benchmark;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A host joins three under load: how long until it has its share of the shards, and what an ask costs before and
 * meanwhile. With more than one join the new host leaves in good order before the next one comes.
 */
final class RebalanceRun {
    /** To look at the table of all shards asks every host: not so often that it is a load itself. */
    private static final long LOOK_MS = 100;

    private final Arguments told;
    private final Path logs;
    private final int shards;
    private final int entities;

    RebalanceRun(Arguments told, Path logs) {
        this.shards = told.number("shards", 1000, 10, 65_536);
        this.entities = told.number("entities", 100_000, 100, 10_000_000);
        this.told = told.with(new JsonObject().put("numberOfShards", shards));
        this.logs = logs;
    }

    void run() throws Exception {
        int count = told.number("hosts", 3, 1, 7);
        int joins = told.number("joins", 1, 1, 20);
        try (var hosts = new Hosts(count + joins, told, logs)) {
            hosts.startReady(count);
            var node = hosts.node();
            var ids = IntStream.range(0, entities).mapToObj(i -> "counter-" + i).toArray(String[]::new);
            AllocationRun.ask(node, ids[0]).await(Hosts.AWAIT_S, TimeUnit.SECONDS);
            new Load(node, hosts.cpu(), entities).asks(2 * entities, 256, 0);
            Hosts.await("all is balanced", () -> isBalanced(node, count));
            try (var stream = new AskStream(node, ids, told.number("rate", 2000, 1, 1_000_000))) {
                for (int joined = 1; joined < joins; joined++) {
                    var host = join(hosts, node, stream, count);
                    host.terminate();
                    host.awaitEnd(Hosts.AWAIT_S);
                    Hosts.await("all is balanced without it", () -> isBalanced(node, count));
                }
                join(hosts, node, stream, count);
            }
        }
    }

    private HostProcess join(Hosts hosts, Node node, AskStream stream, int count) throws Exception {
        int seconds = told.number("seconds", 15, 1, 3600);
        TimeUnit.SECONDS.sleep(seconds); // warm-up
        stream.cut();
        TimeUnit.SECONDS.sleep(seconds);
        var before = stream.cut();
        long begin = System.nanoTime();
        var host = hosts.start();
        host.awaitReady();
        double joined = GrowthRuns.seconds(begin);
        var starting = stream.cut();
        begin = System.nanoTime();
        Hosts.await("the new host has its share", LOOK_MS, () -> isBalanced(node, count + 1));
        double balanced = GrowthRuns.seconds(begin);
        var moving = stream.cut();
        TimeUnit.SECONDS.sleep(seconds);
        var after = stream.cut();
        GrowthRuns.print("growth rebalance steady: %s", before);
        GrowthRuns.print("growth rebalance process starts, %.1f s: %s", joined, starting);
        GrowthRuns.print("growth rebalance moves: %s", moving);
        GrowthRuns.print("growth rebalance afterwards: %s", after);
        GrowthRuns.print(
                "growth rebalance shards=%d entities=%d hosts=%d->%d balanced_s=%.2f p99_ms=%.2f "
                        + "steady_p99_ms=%.2f ratio=%.2f failed=%d",
                shards,
                entities,
                count,
                count + 1,
                balanced,
                moving.times().millis(0.99),
                before.times().millis(0.99),
                moving.times().millis(0.99) / before.times().millis(0.99),
                before.failed() + starting.failed() + moving.failed() + after.failed());
        return host;
    }

    private boolean isBalanced(Node node, int count) throws Exception {
        var state = Hosts.state(node);
        var homes = Hosts.shards(state);
        return homes.getCount() == count
                && homes.getMax() - homes.getMin() <= 1
                && Hosts.active(state) == shards
                && state.failed().isEmpty();
    }
}
