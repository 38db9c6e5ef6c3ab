package benchmark;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.model.TypeState;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * A full stop of a cluster with remembered entities: some processes with a directory each host them, this one hosts
 * nothing. It starts all of them, stops all processes, starts the processes again, and asks entities until all are
 * back.
 */
final class RestartRun implements AutoCloseable {
    private static final EntityType<CounterMessage> TYPE = EntityType.of("remembered", CounterMessage.class);
    private static final long AWAIT_S = 300;
    private static final long LONGEST_NS = TimeUnit.MINUTES.toNanos(10);
    private static final long POLL_MS = 100;
    private static final int MOST_NODES = 9;

    private final Arguments told;
    private final int nodes;
    private final int ids;
    private final Path logs;
    private final Path directory;
    private final boolean kept;
    private final String cluster = "benchmark-" + UUID.randomUUID();
    private final List<HostProcess> hosts = new ArrayList<>();

    static EntityDefinition<CounterMessage> definition() {
        return EntityDefinition.of(TYPE, id -> new Counter())
                .withCodec(new CounterCodec())
                .withRole(Node.HOSTING)
                .withRememberEntities(true);
    }

    RestartRun(Arguments told, int ids, Path logs) throws Exception {
        this.nodes = told.number("nodes", 1, 1, MOST_NODES);
        this.ids = ids;
        this.logs = Files.createDirectories(logs);
        this.kept = told.has("directory");
        this.directory = kept ? Path.of(told.get("directory", "")) : Files.createTempDirectory("shardbus-restart");
        // an older directory alone must not decide what is remembered
        this.told = told.with(new JsonObject()
                .put("minimumMembers", nodes)
                .put("bufferSize", 1_000_000)
                .put("stateStoreMode", "durable"));
    }

    void run() throws Exception {
        var ports = Ports.free(2 * (nodes + 1));
        if (!Files.exists(directory.resolve("node-0"))) {
            fill(ports.subList(0, nodes + 1));
        }
        restart(ports.subList(nodes + 1, ports.size()));
    }

    private void fill(List<Integer> ports) throws Exception {
        var before = start(ports);
        long begin = System.nanoTime();
        new Asks(before.counters(), ids).all();
        double filled = seconds(begin);
        print("remember store=durable nodes=%d event=first_message ids=%d ids_per_s=%.0f", nodes, ids, ids / filled);
        stop(before);
    }

    private Node start(List<Integer> ports) throws Exception {
        for (int i = 0; i < nodes; i++) {
            var place = new Node.Place(cluster, ports, i);
            var own = told.with(new JsonObject()
                    .put("stateStoreDirectory", directory.resolve("node-" + i).toString()));
            hosts.add(HostProcess.start(place, own, logs.resolve("host-" + i + ".log"), "--remember"));
        }
        var options = told.options(new JsonObject()
                .put("coordinator", false)
                .put("roles", new JsonArray())
                .put("stateStoreDirectory", directory.resolve("client").toString()));
        var node = Node.start(new Node.Place(cluster, ports, nodes), options, definition())
                .await(AWAIT_S, TimeUnit.SECONDS);
        for (var host : hosts) {
            host.awaitReady();
        }
        return node;
    }

    private void stop(Node client) throws Exception {
        long begin = System.nanoTime();
        if (told.has("kill")) {
            hosts.forEach(HostProcess::kill);
        } else {
            client.sharding().prepareForShutdown().await(AWAIT_S, TimeUnit.SECONDS);
            hosts.forEach(HostProcess::terminate);
        }
        for (var host : hosts) {
            host.awaitEnd(AWAIT_S);
        }
        hosts.clear();
        client.vertx().close().await(AWAIT_S, TimeUnit.SECONDS);
        print("remember store=durable nodes=%d event=%s all_s=%.2f", nodes, kindOfStop(), seconds(begin));
    }

    private String kindOfStop() {
        return told.has("kill") ? "kill" : "stop";
    }

    private void restart(List<Integer> ports) throws Exception {
        long begin = System.nanoTime();
        var client = start(ports);
        double ready = seconds(begin);
        var asks = new Asks(client.counters(), ids);
        asks.beginSome(client.vertx());
        double first = 0;
        for (int live = 0; live < ids; live = live(client)) {
            first = first == 0 && live > 0 ? seconds(begin) : first;
            if (System.nanoTime() - begin > LONGEST_NS) {
                throw new IllegalStateException(live + " of " + ids + " entities are back after 10 minutes");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        double all = seconds(begin);
        first = first == 0 ? all : first;
        asks.end(client.vertx());
        print(
                "remember store=durable nodes=%d event=restart ids=%d ready_s=%.2f first_s=%.2f all_s=%.2f "
                        + "ids_per_s=%.0f"
                        + " cpu_s=%.1f hosts_cpu_s=%.1f",
                nodes,
                ids,
                ready,
                first,
                all,
                ids / Math.max(all - ready, 0.001),
                hostsCpu().seconds() + ownCpu().seconds(),
                hostsCpu().seconds());
        print("remember store=durable nodes=%d event=asks_meanwhile %s", nodes, asks.summary());
        client.vertx().close().await(AWAIT_S, TimeUnit.SECONDS);
    }

    private Cpu hostsCpu() {
        return new Cpu(hosts.stream().mapToLong(HostProcess::pid).toArray());
    }

    private static Cpu ownCpu() {
        return new Cpu(ProcessHandle.current().pid());
    }

    /** How many live on all hosts; a host that is too busy to answer counts as none. */
    private static int live(Node client) throws Exception {
        return client.sharding()
                .typeState(TYPE.name())
                .map(state -> state.regions().stream()
                        .mapToInt(TypeState.Region::entities)
                        .sum())
                .otherwise(0)
                .await(AWAIT_S, TimeUnit.SECONDS);
    }

    private static double seconds(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }

    private static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }

    @Override
    public void close() throws IOException {
        hosts.forEach(HostProcess::close);
        if (!kept) {
            RememberRun.delete(directory);
        }
    }
}
