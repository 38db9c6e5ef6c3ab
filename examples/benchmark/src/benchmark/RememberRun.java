package benchmark;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * How fast remembered entities are back: all shards of a node move to another that joins (replicated), and a node stops
 * and starts again on its directory (durable).
 */
final class RememberRun {
    private static final EntityType<CounterMessage> TYPE = EntityType.of("remembered", CounterMessage.class);
    private static final long AWAIT_S = 120;
    /** So long nothing may be what it was: then nothing will come any more. */
    private static final long LONGEST_STANDSTILL_S = 60;

    private static final long QUESTION_S = 5;
    private static final long POLL_MS = 20;
    private static final JsonObject DEFAULTS =
            new JsonObject().put("awaitPredecessorLeases", false).put("bufferSize", 1_000_000);

    private final Arguments told;
    private final int ids;

    /** A node, and its region of the type. */
    private record Host(Vertx vertx, ClusterSharding sharding, ShardRegion<CounterMessage> region) {
        static Host start(Vertx vertx, ClusterSharding sharding) throws Exception {
            var definition = EntityDefinition.of(TYPE, id -> new Counter())
                    .withCodec(new CounterCodec())
                    .withRememberEntities(true);
            return new Host(vertx, sharding, sharding.start(definition).await(AWAIT_S, TimeUnit.SECONDS));
        }

        void stop() throws Exception {
            vertx.close().await(AWAIT_S, TimeUnit.SECONDS);
        }
    }

    RememberRun(Arguments told) {
        this.told = told;
        this.ids = told.number("ids", 100_000, 100, 10_000_000);
    }

    /** @param logs where the processes of a cluster write */
    void run(Path logs) throws Exception {
        if (told.has("nodes")) {
            try (var cluster = new RestartRun(told, ids, logs)) {
                cluster.run();
            }
            return;
        }
        moved();
        restarted();
    }

    private void moved() throws Exception {
        var cluster = "benchmark-" + UUID.randomUUID();
        var ports = Ports.free(2);
        var options = told.with(DEFAULTS.copy().put("rebalanceIntervalMs", 0));
        var first = join(new Node.Place(cluster, ports, 0), options);
        startAll("replicated", first);
        var second = join(new Node.Place(cluster, ports, 1), options);
        long begin = System.nanoTime();
        drain(first);
        report(
                "store=replicated event=move",
                begin,
                second,
                () -> first.sharding().drain(first.sharding().self()));
        second.stop();
        first.stop();
    }

    /** A coordinator that has just begun knows of no shards yet, and moves none. */
    private static void drain(Host host) throws Exception {
        long begin = System.nanoTime();
        while (host.sharding().drain(host.sharding().self()).await(AWAIT_S, TimeUnit.SECONDS) == 0) {
            if (seconds(begin) > AWAIT_S) {
                throw new IllegalStateException("no shard moved in " + AWAIT_S + " s");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }

    private static Host join(Node.Place place, Arguments options) throws Exception {
        var node = Node.start(place, options.options(new JsonObject().put("roles", new JsonArray().add(Node.HOSTING))))
                .await(AWAIT_S, TimeUnit.SECONDS);
        return Host.start(node.vertx(), node.sharding());
    }

    private void restarted() throws Exception {
        var directory = Files.createTempDirectory("shardbus-remember");
        try {
            var host = open(directory);
            startAll("durable", host);
            host.stop();
            long begin = System.nanoTime();
            var again = open(directory);
            report("store=durable event=restart", begin, again, () -> {});
            again.stop();
        } finally {
            delete(directory);
        }
    }

    private Host open(Path directory) throws Exception {
        var options = told.options(
                DEFAULTS.copy().put("stateStoreMode", "durable").put("stateStoreDirectory", directory.toString()));
        var vertx = Vertx.vertx();
        return Host.start(vertx, ClusterSharding.create(vertx, options));
    }

    /** Asks each id once: then it is remembered. */
    private void startAll(String store, Host host) throws InterruptedException {
        long begin = System.nanoTime();
        new Asks(host.region(), ids).all();
        print("remember store=%s event=first_message ids=%d ids_per_s=%.0f", store, ids, ids / seconds(begin));
    }

    /**
     * Waits until all entities live here; no message is sent to them.
     *
     * @param meanwhile done again once in a second: a coordinator that is new knows nothing of what the last one was
     *     told
     */
    private void report(String what, long begin, Host host, Runnable meanwhile) throws Exception {
        double first = 0;
        int before = 0;
        long since = begin;
        long said = begin;
        for (int live = 0; live < ids; live = live(host)) {
            first = first == 0 && live > 0 ? seconds(begin) : first;
            since = live == before ? since : System.nanoTime();
            before = live;
            if (seconds(since) > LONGEST_STANDSTILL_S) {
                throw new IllegalStateException(
                        live + " of " + ids + " entities are back, and no more come: " + state(host));
            }
            if (seconds(said) > 1) {
                said = System.nanoTime();
                meanwhile.run();
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        double all = seconds(begin);
        print(
                "remember %s ids=%d ids_per_s=%.0f first_s=%.2f all_s=%.2f",
                what, ids, ids / all, first == 0 ? all : first, all);
    }

    private static String state(Host host) {
        var coordinator = "coordinator " + host.sharding().clusterState().coordinator();
        try {
            var type = host.sharding().typeState(TYPE.name()).await(QUESTION_S, TimeUnit.SECONDS);
            return coordinator + ", " + type.regions() + ", on their way " + type.handoffs();
        } catch (Exception e) {
            return coordinator + ", which does not say more: " + e;
        }
    }

    private static int live(Host host) throws Exception {
        Future<Integer> live = host.region().state().map(state -> state.entities());
        return live.await(AWAIT_S, TimeUnit.SECONDS);
    }

    private static double seconds(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }

    private static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }

    static void delete(Path directory) throws IOException {
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException failure) throws IOException {
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
