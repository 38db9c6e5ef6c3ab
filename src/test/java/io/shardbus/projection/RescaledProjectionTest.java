package io.shardbus.projection;

import static io.shardbus.projection.ChangedAnswers.delegate;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityType;
import io.shardbus.integration.Await;
import io.shardbus.integration.LogLines;
import io.shardbus.model.FencingToken;
import io.shardbus.options.SqliteOptions;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.spi.EventReader;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LogAppend;
import io.shardbus.persistence.spi.LogFence;
import io.shardbus.persistence.spi.LogOpening;
import io.shardbus.persistence.spi.OpenedLog;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.persistence.spi.TypeSpec;
import io.shardbus.store.sqlite.SqliteStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A projection of a type with another number of shards")
class RescaledProjectionTest {
    private static final FencingToken TOKEN = new FencingToken(1, 1, 1);
    private static final EventCodec<Added> CODEC = EventCodec.json(Added.class);

    private final Vertx vertx = Vertx.vertx();
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final Promise<Void> held = Promise.promise();
    private final PersistenceStore store;
    private final StoreConnection connection;

    record Added(int by) {}

    RescaledProjectionTest(@TempDir Path directory) {
        store = SqliteStore.create(
                vertx, new SqliteOptions().setFile(directory.resolve("store.db").toString()));
        Await.result(store.start());
        connection = store.connect(vertx.getOrCreateContext());
    }

    @AfterEach
    void close() {
        held.tryComplete();
        Await.result(vertx.close());
        Await.result(store.close());
    }

    @Test
    @DisplayName("misses no events of a closed log that were deleted after it had read them")
    void deletedAfterwards() {
        StoredType type = type(4000);
        write(log(type, 1), "1", 1, 3);
        write(log(type, 2), "2", 1, 1);
        AtomicInteger looks = new AtomicInteger();
        EventReader reader = delegate(EventReader.class, store.reader(), "logs", answer -> {
            looks.incrementAndGet();
            return answer;
        });
        try (LogLines lines = new LogLines(ProjectionWorker.class.getName())) {
            start(delegate(PersistenceStore.class, store, "reader", answer -> reader));
            Await.until(() -> positions(), () -> positions().contains(3L));
            LogFence rescaled = log(type(8000), 5);
            write(rescaled, "1", 4, 4);
            assertTrue(Await.result(connection.delete(rescaled, type, "1", 3, false)));
            int before = looks.get();
            Await.until(() -> looks, () -> looks.get() >= before + 3);
            held.complete();
            Await.until(() -> seen, () -> seen.contains("1/4"));
            assertEquals(List.of(), lines.with("has lost events"));
            assertEquals(5, seen.size(), seen::toString);
        }
    }

    private StoredType type(int shards) {
        return Await.result(store.register(new TypeSpec("account", TypeSpec.Model.EVENTS, shards, "ids")));
    }

    private LogFence log(StoredType type, int shard) {
        OpenedLog.Open log = assertInstanceOf(
                OpenedLog.Open.class,
                Await.result(connection.open(List.of(new LogOpening(type, shard, TOKEN))))
                        .get(0));
        return new LogFence(log.log(), TOKEN, log.opening());
    }

    private void write(LogFence log, String id, long first, long last) {
        EventCodec.Encoded event = CODEC.encode(new Added(1));
        List<EventRow> rows = LongStream.rangeClosed(first, last)
                .mapToObj(number -> new EventRow(
                        id,
                        number,
                        number - first + 1,
                        event.name(),
                        event.version(),
                        CODEC.format(),
                        event.payload(),
                        null,
                        Set.of()))
                .toList();
        assertEquals(Set.of(log.log()), Await.result(connection.append(List.of(new LogAppend<>(log, 0, rows)))));
    }

    private List<Long> positions() {
        return List.copyOf(Await.result(store.offsets().positions("view")).values());
    }

    /** The events of entity 2 are held. */
    private void start(PersistenceStore in) {
        var entities = EventSourced.<Object, Added, Integer>of(
                EntityType.of("account", Object.class),
                id -> {
                    throw new AssertionError("no entity runs");
                },
                CODEC);
        var projection = Projection.of("view", entities, ProjectionHandler.each((EventEnvelope<Added> event) -> {
                    seen.add(event.id() + "/" + event.sequenceNumber());
                    return event.id().equals("2") ? held.future() : Future.succeededFuture();
                }))
                .withPollInterval(10);
        Await.result(vertx.deployVerticle(new ProjectionWorker<>(projection, in, 0, 1, TOKEN)));
    }
}
