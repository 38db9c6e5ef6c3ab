package benchmark;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Messages and entities a second: in one process, or from this one, which hosts nothing, to another. */
final class SpeedRun {
    private static final long AWAIT_S = 60;
    private static final int WINDOW = 100_000;
    private static final int LARGEST_BUFFER = 10_000_000;
    private static final int ASKS = 256;
    private static final int LARGE = 1024;
    private static final int ENTITIES = 10_000;
    /** Two processes share the processors, and each has a connection beside its lanes: tuned, as the peer is. */
    private static final int LANES = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

    private final Arguments told;
    private final double scale;
    private final int rounds;
    private final Path logs;

    SpeedRun(Arguments told, Path logs) {
        this.told = told;
        this.scale = Double.parseDouble(told.get("scale", "1"));
        this.rounds = Integer.parseInt(told.get("rounds", "3"));
        this.logs = logs;
    }

    /**
     * What is outstanding may all wait on one lane: acknowledgements say nothing of the others. The peer's queues are
     * as large.
     */
    private static JsonObject defaults() {
        return new JsonObject().put("awaitPredecessorLeases", false).put("bufferSize", LARGEST_BUFFER);
    }

    void local() throws Exception {
        var place = new Node.Place("benchmark-" + UUID.randomUUID(), Ports.free(1), 0);
        var options = told.options(defaults().put("roles", new JsonArray().add(Node.HOSTING)));
        var node = Node.start(place, options).await(AWAIT_S, TimeUnit.SECONDS);
        var load = new Load(node, new Cpu(ProcessHandle.current().pid()), scaled(ENTITIES));
        messages(load);
        if (wants("activate")) {
            load.activate(scaled(1_000_000));
        }
    }

    void remote() throws Exception {
        var cluster = "benchmark-" + UUID.randomUUID();
        var ports = Ports.free(2);
        Files.createDirectories(logs);
        var all = told.with(defaults().put("lanes", LANES));
        try (var host = HostProcess.start(new Node.Place(cluster, ports, 0), all, logs.resolve("host-0.log"))) {
            host.awaitReady();
            var node = Node.start(new Node.Place(cluster, ports, 1), all.options(new JsonObject()))
                    .await(AWAIT_S, TimeUnit.SECONDS);
            var load = new Load(node, new Cpu(ProcessHandle.current().pid(), host.pid()), scaled(ENTITIES));
            messages(load);
            bus(load);
        }
    }

    private void messages(Load load) throws InterruptedException {
        if (!told.get("only", "").equals("bus")) {
            load.ask(scaled(200_000), ASKS, 0);
        }
        tells(load, 1_000_000, 0);
        asks(load, 100_000, ASKS, 0);
        tells(load, 2_000_000, 0);
        asks(load, 200_000, ASKS, 0);
        asks(load, 20_000, 1, 0);
        tells(load, 500_000, LARGE);
        asks(load, 100_000, ASKS, LARGE);
    }

    /** For comparison: what the event bus takes for as much. */
    private void bus(Load load) throws InterruptedException {
        for (int i = 0; i < rounds && wants("bus"); i++) {
            load.bus(scaled(20_000), 1);
            load.bus(scaled(100_000), ASKS);
        }
    }

    private void tells(Load load, int count, int payload) throws InterruptedException {
        for (int i = 0; i < rounds && wants("tell"); i++) {
            load.tell(scaled(count), WINDOW, payload);
        }
    }

    private void asks(Load load, int count, int window, int payload) throws InterruptedException {
        for (int i = 0; i < rounds && wants("ask"); i++) {
            load.ask(scaled(count), window, payload);
        }
    }

    private boolean wants(String kind) {
        return told.get("only", kind).equals(kind);
    }

    private int scaled(int count) {
        return Math.max(1, (int) (count * scale));
    }
}
