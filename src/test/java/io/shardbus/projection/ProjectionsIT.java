package io.shardbus.projection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Ask;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.daemon.ShardedDaemonProcess;
import io.shardbus.options.PostgresOptions;
import io.shardbus.options.SqliteOptions;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.runtime.persistence.Backlog;
import io.shardbus.store.postgres.PostgresStore;
import io.shardbus.store.postgres.TestPostgres;
import io.shardbus.store.sqlite.SqliteStore;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Projections of a cluster")
@Tag("slow")
class ProjectionsIT {
    private static final EntityType<Count> TYPE = EntityType.of("counted", Count.class);
    private static final int ENTITIES = 8;

    private final Vertx vertx = Vertx.vertx();
    /** Sequence numbers of each entity as they were handed on. */
    private final Map<String, List<Long>> seen = new ConcurrentHashMap<>();

    private PersistenceStore store;

    @TempDir
    private Path directory;

    record Count() implements Ask<Long> {}

    record Counted() {}

    private static final class Counter implements EventSourcedEntity<Count, Counted, Long> {
        @Override
        public Long emptyState() {
            return 0L;
        }

        @Override
        public Effect<Counted, Long> handle(Long state, Count message, PersistenceContext<Count> context) {
            return persist(new Counted()).thenReply(now -> now);
        }

        @Override
        public Long apply(Long state, Counted event) {
            return state + 1;
        }
    }

    @AfterEach
    void close() {
        ClusterTestKit.await(store.close());
        ClusterTestKit.await(vertx.close());
    }

    private PersistenceStore open(String kind) {
        store = kind.equals("sqlite")
                ? SqliteStore.create(
                        vertx,
                        new SqliteOptions().setFile(directory.resolve("a.db").toString()))
                : PostgresStore.create(vertx, new PostgresOptions().setUri(TestPostgres.newDatabase(vertx)));
        return store;
    }

    private static EventSourced<Count, Counted, Long> entities() {
        return EventSourced.of(TYPE, id -> new Counter(), EventCodec.json(Counted.class));
    }

    private Projection<Counted> projection(long pollMs) {
        return Projection.of("seen", entities(), ProjectionHandler.<Counted>each(event -> {
                    seen.computeIfAbsent(event.id(), first -> new CopyOnWriteArrayList<>())
                            .add(event.sequenceNumber());
                    return Future.succeededFuture();
                }))
                .withWorkers(3)
                .withPollInterval(pollMs);
    }

    private static void start(ClusterTestKit cluster, PersistenceStore in, Projection<?> projection) {
        cluster.startType(entities().on(in));
        for (ClusterTestKit.Node node : cluster.nodes()) {
            ClusterTestKit.await(
                    Projections.create(node.vertx(), node.sharding(), in).start(projection));
        }
    }

    private static Future<Long> count(ClusterTestKit.Node through, int entity) {
        return through.sharding().entityRef(TYPE, "e" + entity).ask(new Count());
    }

    @Test
    @DisplayName("publish each event on an address of the event bus, where consumers of all nodes get it in order")
    void feed() {
        try (var cluster = ClusterTestKit.start(2)) {
            List<String> heard = new CopyOnWriteArrayList<>();
            ClusterTestKit.await(cluster.node(1)
                    .vertx()
                    .eventBus()
                    .<Buffer>consumer(
                            "counted.feed",
                            message -> heard.add(message.headers().get("id") + " "
                                    + message.headers().get("sequence-number") + " "
                                    + message.headers().get("position") + " "
                                    + message.headers().get("name") + " " + message.body()))
                    .completion());
            open("sqlite");
            cluster.startType(entities().on(store));
            for (ClusterTestKit.Node node : cluster.nodes()) {
                ClusterTestKit.await(Projections.create(node.vertx(), node.sharding(), store)
                        .start(Projection.toEventBus("feed", entities(), node.vertx(), "counted.feed")));
            }
            ClusterTestKit.await(count(cluster.node(0), 1));
            ClusterTestKit.await(count(cluster.node(0), 1));

            cluster.until("both events", () -> heard.size() >= 2);
            assertEquals(List.of("e1 1 1 Counted {}", "e1 2 2 Counted {}"), List.copyOf(new LinkedHashSet<>(heard)));
        }
        assertThrows(IllegalArgumentException.class, () -> Projection.toEventBus("feed", entities(), vertx, ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "postgres"})
    @DisplayName("see every stored event, each entity's in order, while a node of writers and workers is killed")
    void killed(String kind) {
        try (var cluster = ClusterTestKit.start(3)) {
            start(cluster, open(kind), projection(50));
            for (int i = 0; i < ENTITIES; i++) {
                ClusterTestKit.await(count(cluster.node(0), i));
            }
            cluster.until("the workers run", () -> seen.size() == ENTITIES);
            cluster.kill(cluster.node(1));
            long[] answered = new long[ENTITIES];
            for (int round = 0; round < 10; round++) {
                for (int i = 0; i < ENTITIES; i++) {
                    answered[i] = Math.max(answered[i], countOrNot(cluster, i));
                }
            }
            cluster.untilMembers(2, cluster.node(0));
            for (int i = 0; i < ENTITIES; i++) {
                int entity = i;
                cluster.until("an answer of e" + i, () -> {
                    answered[entity] = Math.max(answered[entity], countOrNot(cluster, entity));
                    return answered[entity] > 0;
                });
                cluster.until("all of e" + i, () -> seen.get("e" + entity).contains(answered[entity]));
                Set<Long> once = new LinkedHashSet<>(seen.get("e" + i));
                assertEquals(
                        LongStream.rangeClosed(1, once.size()).boxed().toList(),
                        List.copyOf(once),
                        "first time of each");
                assertTrue(once.size() >= answered[i], "an answered event is missing");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "postgres"})
    @DisplayName("stay paused when the node of a worker is killed, and when the cluster starts again; then begin anew")
    void paused(String kind) {
        Projection<Counted> projection = projection(20);
        Map<String, Long> handled = new TreeMap<>();
        try (var cluster = ClusterTestKit.start(3)) {
            start(cluster, open(kind), projection);
            handle(cluster, handled);
            Projections projections = Projections.create(vertx, cluster.node(0).sharding(), store);
            ClusterTestKit.await(projections.pause(projection));
            // 3 workers, however their nodes change
            cluster.until("all workers are paused", () -> pausedWorkers(cluster) == 3);
            cluster.kill(cluster.node(1));
            cluster.untilMembers(2, cluster.node(0));
            cluster.until("all workers are paused elsewhere", () -> pausedWorkers(cluster) == 3);
        }
        try (var cluster = ClusterTestKit.start(2)) {
            start(cluster, store, projection);
            cluster.until("all workers of the next cluster are paused", () -> pausedWorkers(cluster) == 3);
            for (int i = 0; i < ENTITIES; i++) {
                int entity = i;
                cluster.until("an answer of e" + i, () -> countOrNot(cluster, entity) > 0);
            }
            Projections projections = Projections.create(vertx, cluster.node(0).sharding(), store);
            cluster.until("it is behind", () -> ClusterTestKit.await(projections.lag(projection)) >= ENTITIES);
            assertTrue(ClusterTestKit.await(projections.isPaused(projection)), "the pause is gone");
            seen.forEach((id, numbers) -> assertEquals(handled.get(id), (long) numbers.size(), "seen of " + id));
            ClusterTestKit.await(projections.reset(projection));
            seen.clear();
            ClusterTestKit.await(projections.resume(projection));
            cluster.until("it is not behind", () -> ClusterTestKit.await(projections.lag(projection)) == 0);
            assertEquals(ENTITIES, seen.size());
            seen.forEach((id, numbers) -> assertEquals(
                    LongStream.rangeClosed(1, numbers.size()).boxed().toList(), numbers, "each once, from the first"));
            seen.forEach((id, numbers) -> assertTrue(numbers.size() > handled.get(id), "the new ones of " + id));
            assertEquals(0, pausedWorkers(cluster));
        }
    }

    /** Stores an event of each entity, and waits until the projection has handled it. */
    private void handle(ClusterTestKit cluster, Map<String, Long> handled) {
        for (int i = 0; i < ENTITIES; i++) {
            String id = "e" + i;
            handled.put(id, ClusterTestKit.await(count(cluster.node(0), i)));
            cluster.until("the event of " + id, () -> seen.containsKey(id));
        }
    }

    private static long pausedWorkers(ClusterTestKit cluster) {
        return cluster.nodes().stream()
                .mapToLong(node -> Backlog.on(node.vertx()).of(Backlog.Kind.PAUSED_PROJECTION, "seen"))
                .sum();
    }

    /** What the entity has counted to; 0 where it does not say. */
    private static long countOrNot(ClusterTestKit cluster, int entity) {
        try {
            return ClusterTestKit.await(count(cluster.node(0), entity));
        } catch (ShardingException e) {
            return 0;
        }
    }

    @Test
    @DisplayName("go on with all logs after their workers were rescaled to fewer, and to more again")
    void rescaled() {
        try (var cluster = ClusterTestKit.start(1)) {
            cluster.startType(entities().on(open("sqlite")));
            ClusterTestKit.Node node = cluster.node(0);
            ShardedDaemonProcess workers = ClusterTestKit.await(
                    Projections.create(node.vertx(), node.sharding(), store).start(projection(20)));
            handle(cluster, new TreeMap<>());
            for (int number : List.of(1, 3, 2)) {
                ClusterTestKit.await(workers.rescale(number));
                seen.clear();
                handle(cluster, new TreeMap<>());
            }
            seen.forEach((id, numbers) -> assertEquals(List.of(4L), numbers, "seen of " + id));
        }
    }

    @Test
    @DisplayName("see what their own node stores without waiting for their next look")
    void wake() {
        try (var cluster = ClusterTestKit.start(1)) {
            start(cluster, open("sqlite"), projection(60_000));
            ClusterTestKit.await(count(cluster.node(0), 0));
            cluster.until("the first", () -> seen.containsKey("e0"));
            for (long i = 2; i <= 20; i++) {
                long begun = System.nanoTime();
                long number = ClusterTestKit.await(count(cluster.node(0), 0));
                assertEquals(i, number);
                cluster.until("event " + number, () -> seen.get("e0").contains(number));
                assertTrue(System.nanoTime() - begun < 20_000_000_000L, "it waited for its next look");
            }
        }
    }
}
