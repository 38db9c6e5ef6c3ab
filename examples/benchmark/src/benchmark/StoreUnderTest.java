package benchmark;

import io.shardbus.ShardRegion;
import io.shardbus.options.PostgresOptions;
import io.shardbus.options.SqliteOptions;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.store.postgres.PostgresStore;
import io.shardbus.store.sqlite.SqliteStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** One node, an empty store that it keeps entities in, and the floor of that store. */
final class StoreUnderTest implements AutoCloseable {
    private static final long AWAIT_S = 60;
    /** What is asked at once is bounded by the run. */
    private static final JsonObject DEFAULTS = new JsonObject()
            .put("awaitPredecessorLeases", false)
            .put("askTimeoutMs", 60_000)
            .put("roles", new JsonArray().add(Node.HOSTING));

    /** Measures in a store. */
    interface Run {
        void run(StoreUnderTest under) throws Exception;
    }

    private final String name;
    private final Node node;
    private final Cpu own = new Cpu(ProcessHandle.current().pid());
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private PersistenceStore store;
    private StoreServer server;
    private Floor floor;

    private StoreUnderTest(String name, Node node) {
        this.name = name;
        this.node = node;
    }

    /** Measures in each store that the run was told. */
    static void forEach(Arguments told, Run run) throws Exception {
        for (var name : told.get("store", "postgres,sqlite").split(",", -1)) {
            var place = new Node.Place("benchmark-" + UUID.randomUUID(), Ports.free(1), 0);
            var node = await(Node.start(place, told.options(DEFAULTS)));
            try (var under = new StoreUnderTest(name, node)) {
                under.open(told);
                run.run(under);
            }
        }
    }

    private void open(Arguments told) throws Exception {
        switch (name) {
            case "postgres" -> {
                server = StoreServer.of(told);
                open.push(server);
                var uri = newDatabase(server.uri());
                store = PostgresStore.create(node.vertx(), new PostgresOptions().setUri(uri));
                await(store.start());
                floor = PostgresFloor.open(node.vertx(), uri, lanes(told));
            }
            case "sqlite" -> {
                // where the project is: a directory for temporary files may be memory
                var target = Path.of(System.getProperty("benchmark.root", "."), "target");
                var directory = Files.createTempDirectory(Files.createDirectories(target), "benchmark-sqlite-");
                open.push(() -> RememberRun.delete(directory));
                var file = directory.resolve("store");
                store = SqliteStore.create(node.vertx(), new SqliteOptions().setFile(file.toString()));
                await(store.start());
                floor = SqliteFloor.open(file);
            }
            default -> throw new IllegalArgumentException("--store=" + name + ": use postgres or sqlite, or both");
        }
        open.push(() -> node.vertx().close().await());
        open.push(() -> await(store.close()));
        open.push(floor);
    }

    private String newDatabase(String uri) throws Exception {
        var database = "benchmark_" + UUID.randomUUID().toString().replace("-", "");
        administer(uri, "CREATE DATABASE " + database);
        open.push(() -> administer(uri, "DROP DATABASE " + database + " WITH (FORCE)"));
        return uri.substring(0, uri.lastIndexOf('/') + 1) + database;
    }

    /** By a client of its own: the database is dropped when the node and its connections are gone. */
    private static void administer(String uri, String statement) throws Exception {
        var vertx = Vertx.vertx();
        try {
            await(PgConnection.connect(vertx, PgConnectOptions.fromUri(uri))
                    .compose(connection -> connection.query(statement).execute().eventually(connection::close)));
        } finally {
            vertx.close().await();
        }
    }

    /** As the region has. */
    private static int lanes(Arguments told) {
        int lanes = told.options(DEFAULTS).getLanes();
        return lanes > 0 ? lanes : Math.min(8, Runtime.getRuntime().availableProcessors());
    }

    static <T> T await(Future<T> future) throws Exception {
        return future.await(AWAIT_S, TimeUnit.SECONDS);
    }

    /** Starts a type of stored counters. */
    ShardRegion<CounterMessage> start(EventSourced<CounterMessage, ?, ?> type) throws Exception {
        var region = await(node.sharding().start(type.on(store).withCodec(new CounterCodec())));
        await(region.ready());
        return region;
    }

    String name() {
        return name;
    }

    Node node() {
        return node;
    }

    PersistenceStore store() {
        return store;
    }

    Floor floor() {
        return floor;
    }

    /** Processor time of this process, and of the server that it started. */
    double cpuSeconds() {
        return own.seconds() + (server == null ? 0 : server.cpuSeconds());
    }

    /** What was opened last is closed first. */
    @Override
    public void close() throws IOException {
        try {
            while (!open.isEmpty()) {
                open.pop().close();
            }
        } catch (Exception e) {
            throw new IOException("store " + name + " was not closed", e);
        }
    }
}
