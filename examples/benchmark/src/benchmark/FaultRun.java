package benchmark;

import io.shardbus.EntityRef;
import io.shardbus.model.NodeId;
import io.shardbus.model.ShardHash;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * One fault under probes: three processes host, this one asks, and 15 s later something happens to one of the three.
 */
final class FaultRun implements AutoCloseable {
    private static final int HOSTS = 3;
    private static final int ENTITIES = 300;
    private static final long SETTLE_MS = 8000;
    private static final long FAULT_AFTER_S = 15;
    private static final long RUN_S = 75;
    private static final long AWAIT_S = 60;
    private static final Duration LONGEST_QUESTION = Duration.ofSeconds(AWAIT_S);

    private final Arguments told;
    private final Path logs;
    private final String cluster = "benchmark-" + UUID.randomUUID();
    /** Of the hosts, of one that may join, and of the probe. */
    private final List<Integer> ports = Ports.free(HOSTS + 2);

    private final List<HostProcess> hosts = new ArrayList<>();
    private final List<String> names = new ArrayList<>();

    /** What happens. */
    private enum Fault {
        KILL,
        TERM,
        JOIN,
        STOP
    }

    FaultRun(Arguments told, Path logs) {
        this.told = told;
        this.logs = logs;
    }

    void run() throws Exception {
        var fault = Fault.valueOf(told.word(1).toUpperCase(Locale.ROOT));
        for (int i = 0; i < HOSTS; i++) {
            startHost();
            names.add(hosts.get(i).awaitReady());
        }
        TimeUnit.MILLISECONDS.sleep(SETTLE_MS);
        var options = told.options(new JsonObject().put("coordinator", false));
        var node =
                Node.start(new Node.Place(cluster, ports, HOSTS + 1), options).await(AWAIT_S, TimeUnit.SECONDS);
        var entities = IntStream.range(0, ENTITIES)
                .mapToObj(i -> node.counters().entityRef("probe-" + i))
                .toList();
        probe(node, entities, fault);
    }

    private void startHost() throws Exception {
        Files.createDirectories(logs);
        int number = hosts.size();
        hosts.add(HostProcess.start(
                new Node.Place(cluster, ports, number), told, logs.resolve("host-" + number + ".log"), "--watch"));
    }

    private void probe(Node node, List<EntityRef<CounterMessage>> entities, Fault fault) throws Exception {
        var probe = new Probe(entities, Stalls.watch(node.vertx(), Node.LOOPS));
        probe.begin();
        System.out.println("ready");
        long begin = System.nanoTime();
        probe.runUntil(begin + TimeUnit.SECONDS.toNanos(FAULT_AFTER_S));
        int victim = victim(node);
        var before = probe.runUntil(homes(node, entities), LONGEST_QUESTION);
        System.out.println(fault + (fault == Fault.JOIN ? "" : " of " + names.get(victim)) + ", coordinator is "
                + node.sharding().clusterState().coordinator());
        System.out.println("before it: " + probe.gaps());
        probe.faultHappens();
        happen(fault, hosts.get(victim));
        long end = begin + TimeUnit.SECONDS.toNanos(seconds());
        if (fault == Fault.STOP && told.has("resume")) {
            probe.runUntil(System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(told.get("resume", ""))));
            hosts.get(victim).signal("CONT");
        }
        probe.runUntil(end);
        var after = probe.runUntil(homes(node, entities), LONGEST_QUESTION);
        probe.end();
        report(probe, entities, before, after, fault == Fault.JOIN ? "" : names.get(victim));
    }

    private static long seconds() {
        return Long.parseLong(System.getenv().getOrDefault("SECONDS_PROBE", Long.toString(RUN_S)));
    }

    /**
     * The host that was started last, as with the peer, or the one that coordinates or does not, as was asked
     * for.
     */
    private int victim(Node node) {
        NodeId coordinator = node.sharding().clusterState().coordinator();
        int seat = coordinator == null ? -1 : names.indexOf(coordinator.value());
        if (told.has("coordinator")) {
            return Math.max(0, seat);
        }
        return seat == HOSTS - 1 ? 0 : HOSTS - 1;
    }

    private void happen(Fault fault, HostProcess victim) throws Exception {
        switch (fault) {
            case KILL -> victim.kill();
            case TERM -> victim.terminate();
            case JOIN -> startHost();
            case STOP -> victim.signal("STOP");
        }
    }

    /** The home of each entity's shard, as the coordinator says it. */
    private static Future<Map<String, NodeId>> homes(Node node, List<EntityRef<CounterMessage>> entities) {
        return node.sharding().typeState(Node.COUNTER.name()).map(state -> {
            var byShard = new HashMap<Integer, NodeId>();
            state.shards().forEach(shard -> byShard.put(shard.shard(), shard.home()));
            var homes = new HashMap<String, NodeId>();
            int shards = node.counters().numberOfShards();
            for (var entity : entities) {
                homes.put(entity.id(), byShard.get(ShardHash.shard(entity.id(), shards)));
            }
            return homes;
        });
    }

    private static void report(
            Probe probe,
            List<EntityRef<CounterMessage>> entities,
            Map<String, NodeId> before,
            Map<String, NodeId> after,
            String victim) {
        var touched = new boolean[entities.size()];
        int count = 0;
        for (int i = 0; i < touched.length; i++) {
            var id = entities.get(i).id();
            NodeId home = before.get(id);
            touched[i] = home != null && home.value().equals(victim) || !Objects.equals(home, after.get(id));
            count += touched[i] ? 1 : 0;
        }
        System.out.println("home touched, " + count + " entities: " + probe.gapsSinceFault(i -> touched[i]));
        System.out.println("home not touched, " + (touched.length - count) + " entities: "
                + probe.gapsSinceFault(i -> !touched[i]));
        System.out.println(probe.ownStalls());
        System.out.println(probe.summary());
    }

    @Override
    public void close() {
        hosts.forEach(HostProcess::close);
    }
}
