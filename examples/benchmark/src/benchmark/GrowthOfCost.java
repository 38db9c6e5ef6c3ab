package benchmark;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** What a message costs with more shards, more entities, more nodes, and more bytes: one line for each step. */
final class GrowthOfCost {
    private static final int WINDOW = 100_000;
    private static final int ASKS = 256;
    private static final int ENTITIES = 10_000;
    private static final int UNDER_WAY = 16 << 20;
    private static final int UNDER_WAY_TELLS = 2000;
    private static final int LARGEST_TELL = 32 << 10;

    private final Arguments told;
    private final Path logs;
    private final double scale;

    GrowthOfCost(Arguments told, Path logs) {
        // What is outstanding may all wait on one lane.
        this.told =
                told.with(new JsonObject().put("awaitPredecessorLeases", false).put("bufferSize", 10_000_000));
        this.logs = logs;
        this.scale = Double.parseDouble(told.get("scale", "1"));
    }

    /** A run with a node that sends. */
    private interface Work {
        void with(Node node, Cpu cpu) throws Exception;
    }

    private static void local(Arguments all, Work work) throws Exception {
        var place = new Node.Place("benchmark-" + UUID.randomUUID(), Ports.free(1), 0);
        var options = all.options(new JsonObject().put("roles", new JsonArray().add(Node.HOSTING)));
        var node = Node.start(place, options).await(Hosts.AWAIT_S, TimeUnit.SECONDS);
        work.with(node, new Cpu(ProcessHandle.current().pid()));
        node.vertx().close().await(Hosts.AWAIT_S, TimeUnit.SECONDS);
    }

    private void remote(Arguments all, int count, Work work) throws Exception {
        try (var hosts = new Hosts(count, all, logs)) {
            hosts.startReady(count);
            var node = hosts.node();
            work.with(node, hosts.cpu());
            node.vertx().close().await(Hosts.AWAIT_S, TimeUnit.SECONDS);
        }
    }

    private boolean wants(String where) {
        return told.get("only", where).equals(where);
    }

    private int scaled(int count) {
        return Math.max(ENTITIES / 10, (int) (count * scale));
    }

    private IntStream steps(int least, int most, int factor) {
        int last = told.number("upTo", most, least, most);
        return IntStream.iterate(least, step -> step <= last, step -> step * factor);
    }

    void shards() throws Exception {
        for (int shards : steps(10, 10_000, 10).toArray()) {
            var all = told.with(new JsonObject().put("numberOfShards", shards));
            if (wants("local")) {
                local(all, (node, cpu) -> messages(node, cpu, "shards where=local shards=" + shards));
            }
            if (wants("remote")) {
                remote(all, 1, (node, cpu) -> messages(node, cpu, "shards where=remote shards=" + shards));
            }
        }
    }

    void nodes() throws Exception {
        for (int count : steps(2, 8, 2).toArray()) {
            remote(told, count, (node, cpu) -> messages(node, cpu, "nodes nodes=" + count));
        }
    }

    /** The third round counts: before that not all is compiled. */
    private void messages(Node node, Cpu cpu, String what) throws InterruptedException {
        var load = new Load(node, cpu, ENTITIES);
        load.asks(scaled(100_000), ASKS, 0);
        load.tells(scaled(500_000), WINDOW, 0);
        load.tells(scaled(1_000_000), WINDOW, 0);
        load.asks(scaled(100_000), ASKS, 0);
        var tells = load.tells(scaled(2_000_000), WINDOW, 0);
        var asks = load.asks(scaled(200_000), ASKS, 0);
        GrowthRuns.print(
                "growth %s tells_per_s=%.0f tells_per_cpu_s=%.0f asks_per_s=%.0f asks_per_cpu_s=%.0f p99_us=%.0f",
                what,
                tells.perSecond(),
                tells.perCpuSecond(),
                asks.rate().perSecond(),
                asks.rate().perCpuSecond(),
                asks.times().micros(0.99));
    }

    void entities() throws Exception {
        // nothing is passivated while there are many
        var all = told.with(new JsonObject().put("passivation", new JsonObject().put("strategy", "none")));
        int last = told.number("upTo", 5_000_000, 10_000, 20_000_000);
        local(all, (node, cpu) -> {
            messages(node, cpu, "entities entities=" + ENTITIES);
            int before = ENTITIES;
            for (int count : List.of(100_000, 1_000_000, 2_000_000, 5_000_000)) {
                if (count <= last) {
                    step(Load.withoutIds(node, cpu, count), before, count);
                    before = count;
                }
            }
        });
    }

    private static void step(Load load, int before, int count) throws InterruptedException {
        long empty = Load.usedAfterCollection();
        var started = load.tells(count, WINDOW, 0);
        long used = Load.usedAfterCollection() - empty;
        var tells = load.tells(Math.max(count, 2_000_000), WINDOW, 0);
        GrowthRuns.print(
                "growth entities entities=%d bytes_per_new_entity=%.0f starting_tells_per_s=%.0f tells_per_s=%.0f "
                        + "tells_per_cpu_s=%.0f",
                count, used / (double) (count - before), started.perSecond(), tells.perSecond(), tells.perCpuSecond());
    }

    void sizes() throws Exception {
        if (wants("local")) {
            local(told, (node, cpu) -> sizes(node, cpu, "local"));
        }
        if (wants("remote")) {
            remote(told, 1, (node, cpu) -> sizes(node, cpu, "remote"));
        }
    }

    /**
     * Asks of that size, as many at once as make 16 MB but 2 to 256, and tells up to a size of which a thousand are 32
     * MB.
     */
    private void sizes(Node node, Cpu cpu, String where) throws InterruptedException {
        var load = new Load(node, cpu, 1000);
        load.tells(scaled(1_000_000), WINDOW, 0);
        load.asks(scaled(100_000), ASKS, 0);
        int last = told.number("upTo", 1 << 20, 8, 1 << 20);
        var smaller = steps(8, 1 << 20, 8).filter(step -> step < last);
        for (int size : IntStream.concat(smaller, IntStream.of(last)).toArray()) {
            int count = Math.max(1000, Math.min(scaled(200_000), (int) (scale * (1L << 30) / size)));
            int window = Math.max(2, Math.min(ASKS, UNDER_WAY / size));
            load.asks(count, window, size);
            var asks = load.asks(count, window, size);
            report(where, "asks", size, asks.rate());
            if (size <= LARGEST_TELL) {
                load.tells(2 * count, UNDER_WAY_TELLS, size);
                report(where, "tells", size, load.tells(5 * count, UNDER_WAY_TELLS, size));
            }
        }
    }

    private static void report(String where, String kind, int size, Load.Rate rate) {
        GrowthRuns.print(
                "growth size where=%s bytes=%d %s_per_s=%.0f mb_per_s=%.1f %s_per_cpu_s=%.0f",
                where, size, kind, rate.perSecond(), rate.perSecond() * size / 1e6, kind, rate.perCpuSecond());
    }
}
