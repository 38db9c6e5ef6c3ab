package io.shardbus.projection;

import static io.shardbus.projection.ChangedAnswers.delegate;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityType;
import io.shardbus.integration.Await;
import io.shardbus.integration.LogLines;
import io.shardbus.model.FencingToken;
import io.shardbus.options.ShardingOptions;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.spi.EventReader;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LogAppend;
import io.shardbus.persistence.spi.LogFence;
import io.shardbus.persistence.spi.LogOpening;
import io.shardbus.persistence.spi.OffsetStore;
import io.shardbus.persistence.spi.OffsetStore.Parked;
import io.shardbus.persistence.spi.OpenedLog;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.persistence.spi.TypeSpec;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.persistence.AppendSignal;
import io.shardbus.runtime.persistence.Backlog;
import io.shardbus.store.memory.MemoryStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A projection's worker")
class ProjectionWorkerTest {
    private static final FencingToken OLD = new FencingToken(1, 1, 1);
    private static final FencingToken NEW = new FencingToken(1, 1, 2);
    private static final EventCodec<Added> CODEC = EventCodec.json(Added.class);
    private static final TypeSpec SPEC = new TypeSpec("account", TypeSpec.Model.EVENTS, 10, "ids");

    private final Vertx vertx = Vertx.vertx();
    private final MemoryStore store = MemoryStore.create();
    private final StoreConnection connection = store.connect(vertx.getOrCreateContext());
    private final StoredType type = store.register(SPEC).result();
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private volatile String failing = "";
    private int format = CODEC.format();

    record Added(int by) {}

    @AfterEach
    void close() {
        Await.result(vertx.close());
    }

    @Test
    @DisplayName("sees every event once, in the order of its log, also after it was started again")
    void seesEveryEventOnce() {
        int one = write(type, 1, 0, "a", "b", "a");
        int other = write(type, 2, 0, "c");

        String worker = start(projection(), 0, 1, OLD);
        awaitSeen(4);
        assertEquals(List.of("a/1", "b/1", "a/2"), seenOf("a", "b"));
        assertEquals(Map.of(one, 3L, other, 1L), positions());
        Await.result(vertx.undeploy(worker));
        write(type, 1, 3, "b");
        start(projection(), 0, 1, NEW);

        awaitSeen(5);
        assertEquals("b/2", seen.get(4));
    }

    @Test
    @DisplayName("shares the logs with the others")
    void sharesLogs() {
        write(type, 1, 0, "a");
        write(type, 2, 0, "b");
        write(type, 3, 0, "c");
        List<String> odd = new CopyOnWriteArrayList<>();
        start(projection(), 0, 2, OLD);
        start(projection(odd, Projection.OnFailure.HOLD), 1, 2, OLD);

        Await.until(() -> seen + " and " + odd, () -> seen.size() + odd.size() == 3);
        assertEquals(List.of("b/1"), seen);
        assertEquals(Set.of("a/1", "c/1"), Set.copyOf(odd));
    }

    @Test
    @DisplayName("holds a log at an event that fails, while the others go on, and goes on when it succeeds")
    void holdsALog() {
        failing = "b/1";
        write(type, 1, 0, "a", "b", "a");
        write(type, 2, 0, "c");
        start(projection(), 0, 1, OLD);
        Await.until(() -> seen, () -> seen.containsAll(List.of("a/1", "c/1", "failed b/1")));
        Await.until(() -> positions(), () -> positions().containsValue(1L));
        assertEquals(false, seen.contains("a/2"));

        failing = "";

        Await.until(() -> seen, () -> seen.containsAll(List.of("b/1", "a/2")));
        assertEquals(List.of(), Await.result(store.offsets().parked("view", 100)));
    }

    @Test
    @DisplayName("parks an event that fails again and again, with its reason")
    void parksAnEvent() {
        failing = "b/1";
        int log = write(type, 1, 0, "a", "b", "a");

        start(projection(seen, Projection.OnFailure.PARK), 0, 1, OLD);

        Await.until(() -> seen, () -> seen.contains("a/2"));
        assertEquals(
                List.of(new Parked(log, 2, "java.lang.IllegalStateException: cannot take b/1")),
                Await.result(store.offsets().parked("view", 100)));
        assertEquals(3, seen.stream().filter("failed b/1"::equals).count(), "attempts in batches and alone");
    }

    @Test
    @DisplayName("has the logs of its shards, whatever their numbers in the store")
    void hasTheLogsOfItsShards() {
        write(type, 2, 0, "a");
        write(type, 4, 0, "b");
        write(type, 6, 0, "c");
        start(projection(), 0, 2, OLD);

        awaitSeen(3);
        assertEquals(Set.of("a/1", "b/1", "c/1"), Set.copyOf(seen));
    }

    @Test
    @DisplayName("moves no offset of a worker with a newer token, and says so")
    void leavesLogsToANewerWorker() {
        int log = write(type, 1, 0, "a");
        Await.result(store.offsets().claim("view", List.of(log), NEW));

        try (LogLines lines = new LogLines(ProjectionWorker.class.getName())) {
            start(projection(), 0, 1, OLD);
            write(type, 2, 0, "b");

            awaitSeen(1);
            assertEquals(List.of("b/1"), seen);
            assertEquals(0L, positions().get(log));
            assertTrue(
                    lines.with("has the logs [" + log + "]").get(0).startsWith("WARN projection=view worker=0"),
                    () -> lines.with("").toString());
        }
    }

    @Test
    @DisplayName("goes on with other logs while batches of some take long, where its handler takes several")
    void goesOnBesideSlowLogs() {
        Promise<Void> slow = Promise.promise();
        write(type, 1, 0, "slow");
        write(type, 2, 0, "slow");
        int end = write(type, 3, 0, "a");
        Projection<Added> atOnce = projection(event -> event.id().equals("slow") ? slow.future() : null, 3);
        Await.result(vertx.deployVerticle(new ProjectionWorker<>(atOnce, store, 0, 1, OLD)));
        Await.until(() -> seen, () -> seen.contains("a/1"));

        write(type, 3, 1, "a", "b");

        Await.until(() -> seen, () -> seen.containsAll(List.of("a/2", "b/1")));
        Await.until(() -> positions(), () -> positions().get(end) == 3);
        assertEquals(false, positions().containsValue(1L), "the slow ones have not moved");
        slow.complete();
        Await.until(
                () -> positions(),
                () -> positions().values().stream().mapToLong(at -> at).sum() == 5);
        assertEquals(Set.of("slow/1", "slow/2"), Set.copyOf(seenOf("slow")));
        assertEquals(2, seenOf("slow").size(), "each once");
    }

    @Test
    @DisplayName("asks for its offset again, and warns, where its log ends before it")
    void storeThatLostRows() {
        int log = write(type, 1, 0, "a", "a", "a");
        AtomicInteger ends = new AtomicInteger(3);
        EventReader reader = delegate(
                EventReader.class,
                store.reader(),
                "logs",
                answer -> ((Future<?>) answer)
                        .map(logs -> ((List<?>) logs)
                                .stream()
                                        .map(EventReader.LogInfo.class::cast)
                                        .map(info -> new EventReader.LogInfo(
                                                info.log(),
                                                info.layout(),
                                                info.shard(),
                                                info.sealed(),
                                                Math.min(ends.get(), info.end())))
                                        .toList()));
        try (LogLines lines = new LogLines(ProjectionWorker.class.getName())) {
            Await.result(vertx.deployVerticle(new ProjectionWorker<>(
                    projection(), delegate(PersistenceStore.class, store, "reader", answer -> reader), 0, 1, OLD)));
            awaitSeen(3);
            assertEquals(List.of(), lines.with("lost events"));
            assertTrue(Await.result(store.offsets().move("view", log, 3, 1, OLD)));
            ends.set(1);
            Await.until(
                    () -> lines.with(""),
                    () -> lines.with("log=" + log + " ends at position 1 but was read up to 3").stream()
                            .anyMatch(line -> line.startsWith("WARN")));
            ends.set(3);
            Await.until(() -> seen, () -> seen.size() == 5);
        }
    }

    @Test
    @DisplayName("reads an older layout to its end before a newer one")
    void readsOlderLayoutsFirst() {
        failing = "b/1";
        write(type, 1, 0, "a", "b");
        StoredType next = store.register(new TypeSpec("account", TypeSpec.Model.EVENTS, 20, "ids"))
                .result();
        write(next, 1, 0, "c");
        start(projection(), 0, 1, OLD);
        Await.until(() -> seen, () -> seen.contains("failed b/1"));
        assertEquals(false, seen.contains("c/1"));

        failing = "";

        Await.until(() -> seen, () -> seen.contains("c/1"));
        assertEquals(List.of("b/1", "c/1"), seen.subList(seen.size() - 2, seen.size()));
    }

    @Test
    @DisplayName("reads a bounded number of events at once, however many logs have news")
    void readsABoundedNumber() {
        int rows = 0;
        for (int shard = 0; shard < 8; shard++) {
            String[] ids = new String[shard % 2 == 0 ? 450 : 3];
            Arrays.fill(ids, "entity-" + shard);
            write(type, shard, 0, ids);
            rows += ids.length;
        }
        AtomicInteger most = new AtomicInteger();
        Await.result(vertx.deployVerticle(
                new ProjectionWorker<>(projection(), ChangedAnswers.counting(store, most), 0, 1, OLD)));

        awaitSeen(rows);
        assertTrue(most.get() <= 2000, most + " rows in one read");
    }

    @Test
    @DisplayName("moves the offsets of the logs that were handled during a move together, and holds up none of them")
    void movesOffsetsTogether() {
        for (int shard = 0; shard < 5; shard++) {
            write(type, shard, 0, "entity-" + shard);
        }
        Promise<Void> first = Promise.promise();
        List<Object> moved = new CopyOnWriteArrayList<>();
        OffsetStore offsets = delegate(OffsetStore.class, store.offsets(), "moveAll", answer -> {
            moved.add(((Future<?>) answer).result());
            return moved.size() == 1 ? first.future().compose(now -> (Future<?>) answer) : answer;
        });
        Projection<Added> patient = projection().withPollInterval(60_000);
        Await.result(vertx.deployVerticle(new ProjectionWorker<>(
                patient, delegate(PersistenceStore.class, store, "offsets", answer -> offsets), 0, 1, OLD)));

        Await.until(() -> seen, () -> seen.size() == 5);
        assertEquals(1, moved.size(), "the first move has not ended");
        first.complete();

        Await.until(() -> moved, () -> moved.size() == 2);
        assertEquals(
                List.of(1, 4),
                moved.stream().map(logs -> ((Set<?>) logs).size()).toList());
        assertEquals(5, positions().values().stream().filter(at -> at == 1).count());
    }

    @Test
    @DisplayName("reads on in its logs without a look for new ones when something was stored for its shards")
    void readsOnWithoutALook() {
        write(type, 1, 0, "a");
        AtomicInteger looks = new AtomicInteger();
        AtomicInteger reads = new AtomicInteger();
        EventReader reader = delegate(
                EventReader.class,
                delegate(EventReader.class, store.reader(), "logs", answer -> {
                    looks.incrementAndGet();
                    return answer;
                }),
                "read",
                answer -> {
                    reads.incrementAndGet();
                    return answer;
                });
        // time stands still: what was looked at stays new
        ElapsedClock still = ElapsedClock.manual(() -> 0L);
        ProjectionWorker<Added> worker = new ProjectionWorker<>(
                projection().withPollInterval(60_000),
                delegate(PersistenceStore.class, store, "reader", answer -> reader),
                0,
                2,
                OLD,
                1000,
                still);
        write(type, 2, 0, "b");
        Await.result(vertx.deployVerticle(worker));
        awaitSeen(1);
        Await.until(() -> reads, () -> reads.get() == 2);

        write(type, 2, 1, "b", "b");
        AppendSignal.on(vertx).stored(SPEC.name(), new int[] {1});
        AppendSignal.on(vertx).stored(SPEC.name(), new int[] {2});

        awaitSeen(3);
        assertEquals(List.of("b/1", "b/2", "b/3"), seen);
        assertEquals(1, looks.get());
    }

    @Test
    @DisplayName("reads the next events while its handler is at those before")
    void readsAhead() {
        String[] ids = new String[450];
        for (int shard = 0; shard < 8; shard++) {
            Arrays.fill(ids, "entity-" + shard);
            write(type, shard, 0, ids);
        }
        AtomicInteger reads = new AtomicInteger();
        EventReader reader = delegate(EventReader.class, store.reader(), "read", answer -> {
            reads.incrementAndGet();
            return answer;
        });
        Promise<Void> held = Promise.promise();
        Projection<Added> slow = projection(event -> held.future(), 1).withPollInterval(60_000);
        Await.result(vertx.deployVerticle(new ProjectionWorker<>(
                slow, delegate(PersistenceStore.class, store, "reader", answer -> reader), 0, 1, OLD)));

        Await.until(() -> reads, () -> reads.get() == 2);
        assertEquals(1, seen.size(), "the first event of four logs is being handled");
        held.complete();

        awaitSeen(8 * ids.length);
    }

    @Test
    @DisplayName("parks with a reason that each store can keep")
    void parksWithABoundedReason() {
        write(type, 1, 0, "a");
        start(
                projection(event -> Future.failedFuture("\0".repeat(5_000)), 1).onFailure(Projection.OnFailure.PARK, 1),
                0,
                1,
                OLD);

        Await.until(() -> positions(), () -> positions().containsValue(1L));
        String reason = Await.result(store.offsets().parked("view", 1)).get(0).reason();
        assertEquals(Parked.LONGEST_REASON + 3, reason.length());
        assertEquals(-1, reason.indexOf(0));
    }

    @Test
    @DisplayName("holds a log at an event of a format that its codec does not write")
    void holdsAtAnotherFormat() {
        format = 7;
        int log = write(type, 1, 0, "a");

        start(projection(seen, Projection.OnFailure.PARK), 0, 1, OLD);

        Await.until(() -> positions(), () -> positions().containsValue(1L));
        assertEquals(List.of(), seen);
        assertEquals(
                List.of(new Parked(
                        log,
                        1,
                        "java.lang.IllegalArgumentException: event 1 (Added, version 1) of a: no codec for events of"
                                + " format 7, only of 1: add the former codec by withFormer")),
                Await.result(store.offsets().parked("view", 100)));
    }

    @Test
    @DisplayName("warns once where events behind its offset are gone")
    void warnsWhereEventsAreGone() {
        int log = write(type, 1, 0, "a", "a", "a", "a");
        OpenedLog.Open open = open(type, 1);
        LogFence fence = new LogFence(log, OLD, open.opening());
        assertTrue(connection.delete(fence, type, "a", 3, false).result());
        Await.result(store.offsets().claim("view", List.of(log), OLD));
        Await.result(store.offsets().move("view", log, 0, 1, OLD));
        failing = "a/4";

        try (LogLines lines = new LogLines(ProjectionWorker.class.getName())) {
            start(projection(), 0, 1, OLD);
            Await.until(() -> seen, () -> Collections.frequency(seen, "failed a/4") > 1);
            assertEquals(
                    1,
                    lines.with("log=" + log + ": events from position 2 to 3 were deleted")
                            .size(),
                    "warnings");
        }
    }

    @Test
    @DisplayName("stops in bounded time, although its handler never ends")
    void stopsInBoundedTime() {
        write(type, 1, 0, "a");
        Promise<Boolean> never = Promise.promise();
        Projection<Added> waits = Projection.of("view", entities(), (batch, offsets) -> {
            seen.add("waits");
            return never.future();
        });
        String worker = Await.result(vertx.deployVerticle(new ProjectionWorker<>(waits, store, 0, 1, OLD, 50)));
        Await.until(() -> seen, () -> seen.contains("waits"));

        String warning = "WARN projection=view worker=0 stops although its handler has not ended a batch within 50 ms";
        try (LogLines lines = new LogLines(ProjectionWorker.class.getName())) {
            Await.result(vertx.undeploy(worker));
            assertEquals(List.of(warning), lines.with("stops although"));
        }
    }

    private Projections projections() {
        return Projections.create(
                vertx, ClusterSharding.create(vertx, new ShardingOptions().setAwaitPredecessorLeases(false)), store);
    }

    private long paused() {
        return Backlog.on(vertx).of(Backlog.Kind.PAUSED_PROJECTION, "view");
    }

    @Test
    @DisplayName("hands on nothing while it is paused, and goes on where it was")
    void pauses() {
        write(type, 1, 0, "a");
        start(projection(), 0, 1, OLD);
        awaitSeen(1);
        Await.result(projections().pause(projection()));
        Await.until(() -> "paused " + paused(), () -> paused() == 1);
        write(type, 1, 1, "a");
        write(type, 2, 0, "b");
        Backlog backlog = Backlog.on(vertx);
        Await.until(() -> "the lag", () -> backlog.of(Backlog.Kind.PROJECTION, "view") == 2);
        assertEquals(List.of("a/1"), seen);
        Await.result(projections().resume(projection()));
        awaitSeen(3);
        assertEquals(0, paused());
        assertEquals(List.of("a/1", "a/2"), seenOf("a"));
    }

    @Test
    @DisplayName("that starts while it is paused claims nothing")
    void startsPaused() {
        write(type, 1, 0, "a");
        Await.result(projections().pause(projection()));
        start(projection(), 0, 1, OLD);
        Await.until(() -> "paused " + paused(), () -> paused() == 1);
        assertEquals(Map.of(), positions());
        Await.result(projections().resume(projection()));
        awaitSeen(1);
    }

    @Test
    @DisplayName("begins anew after a reset, also where it has seen no pause and there is no new event")
    void beginsAnew() {
        write(type, 1, 0, "a", "a");
        start(projection(), 0, 1, OLD);
        awaitSeen(2);
        Throwable refused = projections().reset(projection()).cause();
        assertInstanceOf(IllegalStateException.class, refused);
        assertTrue(refused.getMessage().contains("pause it"), refused::getMessage);
        Await.result(projections()
                .pause(projection())
                .compose(paused -> projections().reset(projection()))
                .compose(reset -> projections().resume(projection())));
        Await.until(() -> seen, () -> seen.equals(List.of("a/1", "a/2", "a/1", "a/2")));
        Await.until(() -> positions(), () -> positions().containsValue(2L));
    }

    @Test
    @DisplayName("moves no offset with a batch that a reset has overtaken")
    void overtakenByAReset() {
        write(type, 1, 0, "a");
        Promise<Void> held = Promise.promise();
        start(projection(event -> seen.size() == 1 ? held.future() : null, 1), 0, 1, OLD);
        Await.until(() -> seen, () -> seen.size() == 1);
        Await.result(projections().pause(projection()));
        Await.result(projections().reset(projection()));
        held.complete();
        Await.result(projections().resume(projection()));
        Await.until(() -> seen, () -> seen.equals(List.of("a/1", "a/1")));
        Await.until(() -> positions(), () -> positions().containsValue(1L));
    }

    private Projection<Added> projection() {
        return projection(seen, Projection.OnFailure.HOLD);
    }

    private static EventSourced<Object, Added, Integer> entities() {
        return EventSourced.of(
                EntityType.of("account", Object.class),
                id -> {
                    throw new AssertionError("no entity runs");
                },
                CODEC);
    }

    private Projection<Added> projection(List<String> into, Projection.OnFailure onFailure) {
        return Projection.of("view", entities(), ProjectionHandler.each((EventEnvelope<Added> event) -> {
                    String name = event.id() + "/" + event.sequenceNumber();
                    if (name.equals(failing)) {
                        into.add("failed " + name);
                        return Future.failedFuture(new IllegalStateException("cannot take " + name));
                    }
                    into.add(name);
                    return Future.succeededFuture();
                }))
                .onFailure(onFailure, 2)
                .withPollInterval(10);
    }

    /** @param answers null for an event that is handled */
    private Projection<Added> projection(Function<EventEnvelope<Added>, Future<Void>> answers, int logsAtOnce) {
        ProjectionHandler<Added> each = ProjectionHandler.each(event -> {
            seen.add(event.id() + "/" + event.sequenceNumber());
            Future<Void> answer = answers.apply(event);
            return answer == null ? Future.succeededFuture() : answer;
        });
        return Projection.of("view", entities(), new ProjectionHandler<Added>() {
                    @Override
                    public Future<Boolean> handle(ProjectionBatch<Added> batch, OffsetStore offsets) {
                        return each.handle(batch, offsets);
                    }

                    @Override
                    public int logsAtOnce() {
                        return logsAtOnce;
                    }
                })
                .withPollInterval(10);
    }

    private String start(Projection<Added> projection, int number, int total, FencingToken token) {
        return Await.result(vertx.deployVerticle(new ProjectionWorker<>(projection, store, number, total, token)));
    }

    /** Opens the log of a shard and appends an event for each id; the number of the log. */
    private int write(StoredType written, int shard, long end, String... ids) {
        OpenedLog.Open log = open(written, shard);
        long position = end;
        for (String id : ids) {
            EventCodec.Encoded event = CODEC.encode(new Added(1));
            long sequence =
                    connection.loadEvents(written, id, 0, 1_000).result().size() + 1L;
            EventRow row = new EventRow(
                    id, sequence, position + 1, event.name(), event.version(), format, event.payload(), null, Set.of());
            LogFence fence = new LogFence(log.log(), OLD, log.opening());
            assertEquals(
                    Set.of(log.log()),
                    connection
                            .append(List.of(new LogAppend<>(fence, position, List.of(row))))
                            .result());
            position++;
        }
        return log.log();
    }

    private OpenedLog.Open open(StoredType written, int shard) {
        return assertInstanceOf(
                OpenedLog.Open.class,
                connection
                        .open(List.of(new LogOpening(written, shard, OLD)))
                        .result()
                        .get(0));
    }

    private Map<Integer, Long> positions() {
        return Await.result(store.offsets().positions("view"));
    }

    private void awaitSeen(int count) {
        Await.until(
                () -> seen,
                () -> seen.size() == count
                        && positions().values().stream().mapToLong(at -> at).sum() >= count);
    }

    private List<String> seenOf(String... ids) {
        return seen.stream()
                .filter(name -> List.of(ids).contains(name.substring(0, name.indexOf('/'))))
                .toList();
    }
}
