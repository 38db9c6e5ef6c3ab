package benchmark;

import com.sun.management.OperatingSystemMXBean;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.shardbus.metrics.ShardbusMetrics;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * What it costs to measure and to trace messages: clusters that differ in that alone, side by side in this process, do
 * the same work in turn. Ratios of a round are compared, never of different minutes.
 */
final class CostRun implements AutoCloseable {
    private static final long AWAIT_S = 60;
    private static final int WINDOW = 100_000;
    private static final int LARGEST_BUFFER = 10_000_000;
    private static final int ASKS = 256;
    private static final int ENTITIES = 10_000;
    private static final String OFF = "off";

    /** What a cluster measures and traces. */
    private enum Way {
        /** No meters, and no times of messages. */
        OFF(0, false, false, "propagate"),
        /** Meters in a registry; no times of messages. */
        METERS(0, true, false, "propagate"),
        /** Meters, and times of one message of 64: the default with a registry. */
        HISTOGRAMS(64, true, false, "propagate"),
        /** The same and a tracer, with messages that are in no trace. */
        TRACER(64, true, true, "propagate"),
        /** The same with spans for every message. */
        SPANS(64, true, true, "always"),
        /** As off, once more: by how much clusters differ that measure the same. */
        AGAIN(0, false, false, "propagate");

        private final int sampling;
        private final boolean meters;
        private final boolean tracer;
        private final String policy;

        Way(int sampling, boolean meters, boolean tracer, String policy) {
            this.sampling = sampling;
            this.meters = meters;
            this.tracer = tracer;
            this.policy = policy;
        }

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        JsonObject options() {
            return new JsonObject()
                    .put("latencySampling", sampling)
                    .put("tracingPolicy", policy)
                    .put("awaitPredecessorLeases", false)
                    .put("bufferSize", LARGEST_BUFFER)
                    .put("lanes", 1);
        }
    }

    private final Arguments told;
    private final Path logs;
    private final boolean remote;
    private final double scale;
    private final List<HostProcess> hosts = new ArrayList<>();
    private final Map<Way, Load> loads = new LinkedHashMap<>();
    private final OperatingSystemMXBean machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    CostRun(Arguments told, Path logs) {
        this.told = told;
        this.logs = logs;
        this.remote = told.word(1).equals("remote");
        this.scale = Double.parseDouble(told.get("scale", "1"));
    }

    void run() throws Exception {
        Files.createDirectories(logs);
        for (Way way : Way.values()) {
            loads.put(way, start(way));
        }
        int rounds = told.number("rounds", 9, 2, 1000);
        var figures = new Medians();
        for (int round = 0; round <= rounds; round++) {
            for (Map.Entry<Way, Load> turn : inOrder(round)) {
                measure(turn.getKey(), turn.getValue(), figures);
            }
            for (Way way : Way.values()) {
                compare(way, figures);
            }
        }
        for (Way way : Way.values()) {
            System.out.printf(
                    Locale.ROOT,
                    "cost %s %s tell_ns=%.0f tell_ratio=%.3f ask_ns=%.0f ask_ratio=%.3f%n",
                    remote ? "remote" : "local",
                    way.text(),
                    figures.median(way.text() + "_tell"),
                    figures.median(way.text() + "_tell_ratio"),
                    figures.median(way.text() + "_ask"),
                    figures.median(way.text() + "_ask_ratio"));
        }
        System.out.printf(Locale.ROOT, "cost load=%.1f rounds=%d%n", machine.getSystemLoadAverage(), rounds);
    }

    private Load start(Way way) throws Exception {
        var cluster = "benchmark-" + UUID.randomUUID();
        var ports = Ports.free(2);
        var options = way.options();
        var all = told.with(options);
        var pids = new ArrayList<Long>(List.of(ProcessHandle.current().pid()));
        if (remote) {
            var flags = new ArrayList<String>();
            if (way.meters) {
                flags.add("--meters");
            }
            if (way.tracer) {
                flags.add("--tracer");
            }
            var host = HostProcess.start(
                    new Node.Place(cluster, ports, 0),
                    all,
                    logs.resolve("host-" + way.text() + ".log"),
                    flags.toArray(String[]::new));
            hosts.add(host);
            host.awaitReady();
            pids.add(host.pid());
        } else {
            options.put("roles", new JsonArray().add(Node.HOSTING));
        }
        var place = new Node.Place(cluster, ports, remote ? 1 : 0);
        var node = (way.tracer
                        ? Node.start(place, all.options(options), new CountingTracer())
                        : Node.start(place, all.options(options)))
                .await(AWAIT_S, TimeUnit.SECONDS);
        if (way.meters) {
            measure(node);
        }
        long[] processes = pids.stream().mapToLong(Long::longValue).toArray();
        return new Load(node, new Cpu(processes), ENTITIES);
    }

    /** Registers the meters of a node in a registry that is read every second, as a scrape is. */
    static void measure(Node node) {
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        var unused = ShardbusMetrics.bind(node.sharding(), registry);
        node.vertx().setPeriodic(1000, second -> registry.scrape());
    }

    /** In another order each round, so that none is always the one after another. */
    private List<Map.Entry<Way, Load>> inOrder(int round) {
        var turns = new ArrayList<>(loads.entrySet());
        java.util.Collections.rotate(turns, round);
        return turns;
    }

    private void measure(Way way, Load load, Medians figures) throws InterruptedException {
        var tells = load.tells(scaled(500_000), WINDOW, 0);
        figures.add(way.text() + "_tell", 1e9 / tells.perCpuSecond());
        var asks = load.asks(scaled(200_000), ASKS, 0);
        figures.add(way.text() + "_ask", 1e9 / asks.rate().perCpuSecond());
    }

    private static void compare(Way way, Medians figures) {
        for (String kind : List.of("_tell", "_ask")) {
            figures.add(way.text() + kind + "_ratio", figures.last(way.text() + kind) / figures.last(OFF + kind));
        }
    }

    private int scaled(int count) {
        return Math.max(1, (int) (count * scale));
    }

    @Override
    public void close() {
        hosts.forEach(HostProcess::close);
    }
}
