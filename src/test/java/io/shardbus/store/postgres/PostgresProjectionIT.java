package io.shardbus.store.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardbus.integration.Await;
import io.shardbus.model.FencingToken;
import io.shardbus.options.PostgresOptions;
import io.shardbus.persistence.spi.StoreException;
import io.shardbus.projection.EventEnvelope;
import io.shardbus.projection.ProjectionBatch;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A view in PostgreSQL")
class PostgresProjectionIT {
    private static final FencingToken OLD = new FencingToken(1, 1, 1);
    private static final FencingToken NEW = new FencingToken(1, 1, 2);
    private static Vertx vertx;
    private static PostgresStore store;
    private static PgConnection view;

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        String uri = TestPostgres.newDatabase(vertx);
        store = PostgresStore.create(vertx, new PostgresOptions().setUri(uri));
        Await.result(store.start());
        view = Await.result(PgConnection.connect(vertx, PgConnectOptions.fromUri(uri)));
        Await.result(
                view.query("CREATE TABLE movements (log int, position bigint)").execute());
    }

    @AfterAll
    static void close() {
        Await.result(store.close());
        Await.result(vertx.close());
    }

    @Test
    @DisplayName("has each event once, although two workers hand on the same ones")
    void eachEventOnce() {
        Await.result(store.offsets().claim("once", List.of(1), OLD));
        PostgresHandler<String> handler = PostgresHandler.each(store, (event, sql) -> insert(event, sql));

        Future<Boolean> one = handler.handle(batch("once", 1, OLD), store.offsets());
        Future<Boolean> other = handler.handle(batch("once", 1, OLD), store.offsets());

        assertEquals(Set.of(true, false), Set.of(Await.result(one), Await.result(other)));
        assertEquals(List.of(1L, 2L, 3L), positions(1));
        assertEquals(Map.of(1, 3L), Await.result(store.offsets().positions("once")));
    }

    @Test
    @DisplayName("has the events of a batch that one statement writes, and nothing of one whose offset is elsewhere")
    void batchInOneStatement() {
        Await.result(store.offsets().claim("batches", List.of(5), OLD));
        PostgresHandler<String> handler = PostgresHandler.batches(
                store,
                (events, sql) -> sql.preparedQuery("INSERT INTO movements SELECT $1, unnest($2::bigint[])")
                        .execute(Tuple.of(5)
                                .addArrayOfLong(events.stream()
                                        .map(EventEnvelope::position)
                                        .toArray(Long[]::new))));

        assertEquals(true, Await.result(handler.handle(batch("batches", 5, OLD), store.offsets())));
        assertEquals(false, Await.result(handler.handle(batch("batches", 5, OLD), store.offsets())));

        assertEquals(List.of(1L, 2L, 3L), positions(5));
        assertEquals(Map.of(5, 3L), Await.result(store.offsets().positions("batches")));
    }

    @Test
    @DisplayName("is not asked to write a batch without events, and its offset moves")
    void batchWithoutEvents() {
        Await.result(store.offsets().claim("none", List.of(6), OLD));
        PostgresHandler<String> handler =
                PostgresHandler.batches(store, (events, sql) -> Future.failedFuture("nothing to write"));
        ProjectionBatch<String> none = new ProjectionBatch<>("none", 6, 0, 3, OLD, List.of());

        assertEquals(true, Await.result(handler.handle(none, store.offsets())));
        assertEquals(Map.of(6, 3L), Await.result(store.offsets().positions("none")));
    }

    @Test
    @DisplayName("takes nothing from a worker that lost the log")
    void nothingFromTheWorkerBefore() {
        Await.result(store.offsets().claim("fenced", List.of(2), OLD));
        Await.result(store.offsets().claim("fenced", List.of(2), NEW));
        PostgresHandler<String> handler = PostgresHandler.each(store, (event, sql) -> insert(event, sql));

        assertEquals(false, Await.result(handler.handle(batch("fenced", 2, OLD), store.offsets())));
        assertEquals(List.of(), positions(2));
        assertEquals(true, Await.result(handler.handle(batch("fenced", 2, NEW), store.offsets())));
        assertEquals(List.of(1L, 2L, 3L), positions(2));
    }

    @Test
    @DisplayName("takes nothing of a batch that a reset has overtaken, and after it each event once")
    void nothingOfABatchBeforeAReset() {
        Await.result(store.offsets().claim("anew", List.of(4), OLD));
        Promise<Void> held = Promise.promise();
        PostgresHandler<String> slow =
                PostgresHandler.each(store, (event, sql) -> held.future().compose(now -> insert(event, sql)));
        PostgresHandler<String> handler = PostgresHandler.each(store, (event, sql) -> insert(event, sql));
        Future<Boolean> underWay = slow.handle(batch("anew", 4, OLD), store.offsets());
        Await.result(store.offsets().setPaused("anew", true));
        Future<Boolean> reset = store.offsets().reset("anew");
        held.complete();

        // which of the two comes first is open: the view is emptied when both have ended
        Await.result(underWay);
        assertEquals(true, Await.result(reset));
        Await.result(view.query("DELETE FROM movements WHERE log = 4").execute());
        assertEquals(false, Await.result(handler.handle(batch("anew", 4, OLD), store.offsets())));
        assertEquals(List.of(), positions(4));

        Await.result(store.offsets().setPaused("anew", false));
        assertEquals(Map.of(4, 0L), Await.result(store.offsets().claim("anew", List.of(4), OLD)));
        assertEquals(true, Await.result(handler.handle(batch("anew", 4, OLD), store.offsets())));
        assertEquals(List.of(1L, 2L, 3L), positions(4));
    }

    @Test
    @DisplayName("keeps nothing of a batch that fails, and its offset stays")
    void nothingOfAFailedBatch() {
        Await.result(store.offsets().claim("failing", List.of(3), OLD));
        PostgresHandler<String> handler = PostgresHandler.each(
                store,
                (event, sql) -> event.position() == 3 ? Future.failedFuture("the third fails") : insert(event, sql));

        Future<Boolean> handled = handler.handle(batch("failing", 3, OLD), store.offsets());

        assertThrows(AssertionError.class, () -> Await.result(handled));
        assertEquals(List.of(), positions(3));
        assertEquals(Map.of(3, 0L), Await.result(store.offsets().positions("failing")));
    }

    @Test
    @DisplayName("fails where a handler gives no future, and writes nothing")
    void handlerWithoutAnswer() {
        Await.result(store.offsets().claim("unanswered", List.of(9), OLD));
        PostgresHandler<String> handler = PostgresHandler.each(store, (event, sql) -> {
            if (event.position() == 1) {
                return insert(event, sql);
            }
            return null;
        });

        assertThrows(
                NullPointerException.class, () -> await(handler.handle(batch("unanswered", 9, OLD), store.offsets())));
        assertEquals(List.of(), positions(9));
        assertEquals(Map.of(9, 0L), Await.result(store.offsets().positions("unanswered")));
    }

    @Test
    @DisplayName("says of a database that is away that the store is, so that no event is parked for that")
    void databaseIsAway() {
        PostgresStore away = PostgresStore.create(
                vertx, new PostgresOptions().setUri("postgresql://user:password@127.0.0.1:1/view"));
        PostgresHandler<String> handler = PostgresHandler.each(away, (event, sql) -> insert(event, sql));

        assertThrows(StoreException.class, () -> await(handler.handle(batch("away", 10, OLD), away.offsets())));
        Await.result(away.close());
    }

    /** Throws what the future failed with. */
    private static <T> T await(Future<T> future) throws Throwable {
        Await.until(() -> "the answer", future::isComplete);
        if (future.failed()) {
            throw future.cause();
        }
        return future.result();
    }

    private static Future<?> insert(EventEnvelope<String> event, SqlConnection sql) {
        return sql.preparedQuery("INSERT INTO movements VALUES ($1, $2)")
                .execute(Tuple.of(event.log(), event.position()));
    }

    private static ProjectionBatch<String> batch(String projection, int log, FencingToken token) {
        List<EventEnvelope<String>> events = LongStream.rangeClosed(1, 3)
                .mapToObj(position -> new EventEnvelope<>("a", position, log, position, "added", Set.of(), 0))
                .toList();
        return new ProjectionBatch<>(projection, log, 0, 3, token, events);
    }

    private static List<Long> positions(int log) {
        return Await.result(view.preparedQuery("SELECT position FROM movements WHERE log = $1 ORDER BY position")
                .execute(Tuple.of(log))
                .map(rows -> Rows.list(rows, row -> row.getLong(0))));
    }
}
