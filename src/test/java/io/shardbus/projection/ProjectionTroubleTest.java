package io.shardbus.projection;

import static io.shardbus.projection.ChangedAnswers.delegate;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityType;
import io.shardbus.integration.Await;
import io.shardbus.integration.LogLines;
import io.shardbus.model.FencingToken;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.spi.EventReader;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LogAppend;
import io.shardbus.persistence.spi.LogFence;
import io.shardbus.persistence.spi.LogOpening;
import io.shardbus.persistence.spi.OffsetStore;
import io.shardbus.persistence.spi.OpenedLog;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.persistence.spi.StoreException;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.persistence.spi.TypeSpec;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.persistence.Backlog;
import io.shardbus.store.memory.MemoryStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A projection's worker in trouble")
class ProjectionTroubleTest {
    private static final FencingToken TOKEN = new FencingToken(1, 1, 1);
    private static final EventCodec<Added> CODEC = EventCodec.json(Added.class);

    private final Vertx vertx = Vertx.vertx();
    private final MemoryStore store = MemoryStore.create();
    private final StoreConnection connection = store.connect(vertx.getOrCreateContext());
    private final StoredType type = store.register(new TypeSpec("account", TypeSpec.Model.EVENTS, 4000, "ids"))
            .result();
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final AtomicLong now = new AtomicLong();
    private boolean isStill;

    record Added(int by) {}

    @AfterEach
    void close() {
        Await.result(vertx.close());
    }

    @Test
    @DisplayName("repeats a batch that failed event by event, and those before the failing one once")
    void repeatsEventByEvent() {
        write(1, 8);
        start(each(event -> event.sequenceNumber() == 8 ? Future.failedFuture("no") : Future.succeededFuture()));

        Await.until(() -> seen, () -> Collections.frequency(seen, "1/8") >= 4);
        for (int sequence = 1; sequence < 8; sequence++) {
            assertEquals(2, Collections.frequency(seen, "1/" + sequence), seen::toString);
        }
    }

    @Test
    @DisplayName("parks no event because its store did not answer")
    void parksNothingForItsStore() {
        write(1, 1);
        AtomicInteger left = new AtomicInteger(4);
        OffsetStore offsets = ChangedAnswers.calls(
                OffsetStore.class,
                store.offsets(),
                "moveAll",
                call -> left.getAndDecrement() > 0
                        ? Future.failedFuture(new StoreException(StoreException.Kind.UNREACHABLE, "away"))
                        : call.get());
        start(
                each(event -> Future.succeededFuture()).onFailure(Projection.OnFailure.PARK, 2),
                delegate(PersistenceStore.class, store, "offsets", answer -> offsets));

        Await.until(() -> positions(), () -> positions().containsValue(1L));
        assertEquals(List.of(), Await.result(store.offsets().parked("view", 10)));
        assertEquals(5, seen.size(), seen::toString);
    }

    @Test
    @DisplayName("begins no batch of a long round after a pause")
    void pausesWithinARound() {
        for (int shard = 0; shard < 5; shard++) {
            write(shard, 1);
        }
        isStill = true;
        Promise<Void> held = Promise.promise();
        start(each(event -> held.future()));
        Await.until(() -> seen, () -> seen.size() == 1);
        Await.result(store.offsets().setPaused("view", true));
        now.addAndGet(10);
        held.complete();

        Backlog backlog = Backlog.on(vertx);
        Await.until(() -> seen, () -> backlog.of(Backlog.Kind.PAUSED_PROJECTION, "view") == 1);
        assertEquals(1, seen.size(), seen::toString);
        assertEquals(1, positions().values().stream().filter(at -> at == 1).count(), "the batch moved its offset");
    }

    @Test
    @DisplayName("goes on when its store has answered with nothing")
    void storeWithoutAnswer() {
        write(1, 1);
        AtomicInteger left = new AtomicInteger(1);
        OffsetStore offsets = ChangedAnswers.calls(
                OffsetStore.class,
                store.offsets(),
                "moveAll",
                call -> left.getAndDecrement() > 0 ? Future.succeededFuture() : call.get());
        start(
                each(event -> Future.succeededFuture()),
                delegate(PersistenceStore.class, store, "offsets", answer -> offsets));
        Await.until(() -> positions(), () -> positions().containsValue(1L));
    }

    @Test
    @DisplayName("holds a log where its handler does not say whether the offset has moved")
    void handlerThatSaysNothing() {
        write(1, 1);
        try (LogLines lines = new LogLines(ProjectionWorker.class.getName())) {
            start(Projection.of("view", entities(), (batch, offsets) -> Future.succeededFuture()));
            Await.until(
                    () -> lines.with(""),
                    () -> !lines.with("is held at position 1").isEmpty());
        }
    }

    @Test
    @DisplayName("goes on where its store throws in the middle of a round")
    void storeThatThrowsWithinARound() {
        for (int shard = 0; shard < 3; shard++) {
            write(shard, 1);
        }
        isStill = true;
        Promise<Void> held = Promise.promise();
        AtomicBoolean throwsNext = new AtomicBoolean();
        OffsetStore offsets = ChangedAnswers.calls(OffsetStore.class, store.offsets(), "isPaused", call -> {
            if (throwsNext.getAndSet(false)) {
                throw new IllegalStateException("the store threw");
            }
            return call.get();
        });
        start(each(event -> held.future()), delegate(PersistenceStore.class, store, "offsets", answer -> offsets));
        Await.until(() -> seen, () -> seen.size() == 1);
        throwsNext.set(true);
        now.addAndGet(10);
        held.complete();

        Await.until(
                () -> positions(),
                () -> Collections.frequency(List.copyOf(positions().values()), 1L) == 3);
        assertEquals(false, throwsNext.get(), "the store has thrown");
    }

    @Test
    @DisplayName("holds a log where its handler answers with no future")
    void handlerWithoutAnswer() {
        write(1, 1);
        try (LogLines lines = new LogLines(ProjectionWorker.class.getName())) {
            start(Projection.of("view", entities(), (batch, offsets) -> null));
            Await.until(
                    () -> lines.with(""),
                    () -> !lines.with("is held at position 1").isEmpty());
        }
    }

    @Test
    @DisplayName("handles an event of each of very many logs")
    void veryManyLogs() {
        for (int shard = 0; shard < 3900; shard++) {
            write(shard, 1);
        }
        start(Projection.of("view", entities(), ProjectionHandler.each((EventEnvelope<Added> event) -> {
                    seen.add("x");
                    return Future.succeededFuture();
                }))
                .withPollInterval(10));
        Await.until(() -> seen.size(), () -> seen.size() >= 3900);
        assertEquals(3900, seen.size());
    }

    @Test
    @DisplayName("reads very many pages in a round")
    void veryManyPages() {
        for (int shard = 0; shard < 3900; shard++) {
            write(shard, 1);
        }
        AtomicBoolean isLong = new AtomicBoolean(true);
        EventReader reader = delegate(
                EventReader.class,
                store.reader(),
                "logs",
                answer -> isLong.getAndSet(false)
                        ? ((Future<?>) answer)
                                .map(logs -> ((List<?>) logs)
                                        .stream()
                                                .map(EventReader.LogInfo.class::cast)
                                                .map(ProjectionTroubleTest::longer)
                                                .toList())
                        : answer);
        AtomicInteger reads = new AtomicInteger();
        EventReader counted = delegate(EventReader.class, reader, "read", answer -> {
            reads.incrementAndGet();
            return answer;
        });
        start(
                each(event -> Future.succeededFuture()),
                delegate(PersistenceStore.class, store, "reader", answer -> counted));
        Await.until(() -> seen.size(), () -> seen.size() >= 3900);
        assertEquals(3900, seen.size());
        assertTrue(reads.get() > 900, reads + " pages");
    }

    @Test
    @DisplayName("reads fewer events at once after a read that failed, down to one")
    void largeEvents() {
        write(1, 600);
        write(2, 3);
        EventReader reader = delegate(
                EventReader.class,
                store.reader(),
                "read",
                answer -> ((Future<?>) answer).compose(read -> {
                    int rows = ((Map<?, ?>) read)
                            .values().stream()
                                    .mapToInt(ofLog -> ((List<?>) ofLog).size())
                                    .sum();
                    return rows > 1
                            ? Future.failedFuture(new StoreException(StoreException.Kind.UNREACHABLE, "too large"))
                            : Future.succeededFuture(read);
                }));
        start(
                each(event -> Future.succeededFuture()),
                delegate(PersistenceStore.class, store, "reader", answer -> reader));
        Await.until(() -> positions(), () -> positions().values().containsAll(List.of(600L, 3L)));
        assertEquals(603, seen.size());
    }

    /** As if the log had a whole batch of events, so that a page has four logs. */
    private static EventReader.LogInfo longer(EventReader.LogInfo info) {
        return new EventReader.LogInfo(info.log(), info.layout(), info.shard(), info.sealed(), 500);
    }

    private Projection<Added> each(Function<EventEnvelope<Added>, Future<?>> handler) {
        return Projection.of("view", entities(), ProjectionHandler.each((EventEnvelope<Added> event) -> {
                    seen.add(event.id() + "/" + event.sequenceNumber());
                    return handler.apply(event);
                }))
                .withPollInterval(10);
    }

    private static EventSourced<Object, Added, Integer> entities() {
        return EventSourced.of(
                EntityType.of("account", Object.class),
                id -> {
                    throw new AssertionError("no entity runs");
                },
                CODEC);
    }

    private void start(Projection<Added> projection) {
        start(projection, store);
    }

    private void start(Projection<Added> projection, PersistenceStore in) {
        ElapsedClock clock = ElapsedClock.manual(() -> {
            // time goes on with the looks of the worker, so that pauses end
            return isStill ? now.get() : now.addAndGet(10);
        });
        Await.result(vertx.deployVerticle(new ProjectionWorker<>(projection, in, 0, 1, TOKEN, 1000, clock)));
    }

    /** Events of an entity with the shard's number. */
    private void write(int shard, int events) {
        OpenedLog.Open log = assertInstanceOf(
                OpenedLog.Open.class,
                connection
                        .open(List.of(new LogOpening(type, shard, TOKEN)))
                        .result()
                        .get(0));
        List<EventRow> rows = new ArrayList<>();
        EventCodec.Encoded event = CODEC.encode(new Added(1));
        for (int i = 1; i <= events; i++) {
            rows.add(new EventRow(
                    "" + shard, i, i, event.name(), event.version(), CODEC.format(), event.payload(), null, Set.of()));
        }
        var append = new LogAppend<>(new LogFence(log.log(), TOKEN, log.opening()), 0, rows);
        assertTrue(connection.append(List.of(append)).result().contains(log.log()));
    }

    private Map<Integer, Long> positions() {
        return Await.result(store.offsets().positions("view"));
    }
}
