package io.shardbus.projection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Ask;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.options.PostgresOptions;
import io.shardbus.options.SqliteOptions;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.store.postgres.PostgresStore;
import io.shardbus.store.postgres.TestPostgres;
import io.shardbus.store.sqlite.SqliteStore;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Projections of a cluster")
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

    /** What the entity has counted to; 0 where it does not say. */
    private static long countOrNot(ClusterTestKit cluster, int entity) {
        try {
            return ClusterTestKit.await(count(cluster.node(0), entity));
        } catch (ShardingException e) {
            return 0;
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
