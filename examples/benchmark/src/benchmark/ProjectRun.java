package benchmark;

import io.shardbus.projection.EventEnvelope;
import io.shardbus.projection.Projection;
import io.shardbus.projection.ProjectionHandler;
import io.shardbus.projection.Projections;
import io.shardbus.store.postgres.PostgresHandler;
import io.shardbus.store.postgres.PostgresStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Tuple;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A projection of stored events from the first one on, beside plain reads and writes of the same rows; then its lag
 * behind commands at a steady pace.
 */
final class ProjectRun {
    private static final int ENTITIES = 1000;
    private static final int COMMAND = 10;
    private static final int WINDOW = 512;
    private static final int LONGEST_S = 300;
    private static final long POLL_MS = 20;
    private static final String TYPE = "project";

    private final int rounds;
    private final int events;
    private final int rate;
    private final int seconds;
    private int number;

    ProjectRun(Arguments told) {
        this.rounds = told.number("rounds", 3, 1, 100);
        this.events = told.number("events", 50_000, 100, 10_000_000) / COMMAND * COMMAND;
        this.rate = told.number("rate", 5000, 1, 100_000);
        this.seconds = told.number("seconds", 5, 1, 3600);
    }

    void run(StoreUnderTest under) throws Exception {
        var type = StoredCounter.type(TYPE);
        var region = under.start(type);
        Loop.times(
                events / COMMAND,
                WINDOW,
                under::cpuSeconds,
                i -> region.entityRef("e-" + i % ENTITIES).ask(StoredCounter.add(COMMAND)));
        measure(under, "reads", false, ProjectRun::reading);
        if (under.store() instanceof PostgresStore store) {
            measure(under, "exactly-once", true, all -> batches(store, all));
            measure(under, "exactly-once-each", true, all -> each(store, all));
        }
        lag(under);
    }

    private void measure(
            StoreUnderTest under,
            String kind,
            boolean writes,
            Function<CountDownLatch, ProjectionHandler<CounterMessage.Add>> handler)
            throws Exception {
        var medians = new Medians();
        for (int round = 0; round <= rounds; round++) {
            double floor = floor(under, writes);
            double projected = projected(under, handler);
            medians.add("events_per_s", events / projected)
                    .add("floor_per_s", events / floor)
                    .add("of_floor", floor / projected);
        }
        System.out.println("project store=" + under.name() + " kind=" + kind + " events=" + events + " " + medians);
    }

    /** Each log by one chain, page after page. */
    private static double floor(StoreUnderTest under, boolean writes) throws Exception {
        var logs = StoreUnderTest.await(under.floor().logs(TYPE));
        int chains = under.floor().chains();
        long begin = System.nanoTime();
        Loop.times(
                logs.size(),
                Math.max(1, chains / 2),
                under::cpuSeconds,
                i -> pages(under.floor(), i % chains, logs.get(i), 0, writes));
        return (System.nanoTime() - begin) / 1e9;
    }

    private static Future<Long> pages(Floor floor, int chain, int log, long after, boolean writes) {
        return floor.project(chain, log, after, writes)
                .compose(last -> last == 0 ? Future.succeededFuture(after) : pages(floor, chain, log, last, writes));
    }

    private double projected(
            StoreUnderTest under, Function<CountDownLatch, ProjectionHandler<CounterMessage.Add>> handler)
            throws Exception {
        var all = new CountDownLatch(events);
        return started(under, handler.apply(all), () -> all.await(LONGEST_S, TimeUnit.SECONDS));
    }

    private interface Wait {
        boolean ended() throws InterruptedException;
    }

    /** Seconds from the start of a new projection until the wait ends. */
    private double started(StoreUnderTest under, ProjectionHandler<CounterMessage.Add> handler, Wait wait)
            throws Exception {
        var projection = Projection.of("project-" + number++, StoredCounter.type(TYPE), handler)
                .withPollInterval(POLL_MS)
                .withWorkers(Runtime.getRuntime().availableProcessors());
        long begin = System.nanoTime();
        var process = StoreUnderTest.await(
                Projections.create(under.node().vertx(), under.node().sharding(), under.store())
                        .start(projection));
        if (!wait.ended()) {
            throw new IllegalStateException("not all events were projected in " + LONGEST_S + " s");
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        StoreUnderTest.await(process.stop());
        return seconds;
    }

    private static ProjectionHandler<CounterMessage.Add> reading(CountDownLatch all) {
        return ProjectionHandler.each(event -> {
            all.countDown();
            return Future.succeededFuture();
        });
    }

    /** A statement for each event. */
    private static ProjectionHandler<CounterMessage.Add> each(PostgresStore store, CountDownLatch all) {
        return PostgresHandler.each(
                store,
                (event, sql) -> sql.preparedQuery("INSERT INTO floor_view VALUES ($1, $2, $3, $4)")
                        .execute(Tuple.of(event.log(), event.position(), event.id(), 1L))
                        .onSuccess(done -> all.countDown()));
    }

    /** A statement for the events of a log that come together, as the floor's. */
    private static ProjectionHandler<CounterMessage.Add> batches(PostgresStore store, CountDownLatch all) {
        return PostgresHandler.batches(store, (events, sql) -> {
            int count = events.size();
            var positions = new Long[count];
            var ids = new String[count];
            var amounts = new Long[count];
            for (int i = 0; i < count; i++) {
                positions[i] = events.get(i).position();
                ids[i] = events.get(i).id();
                amounts[i] = events.get(i).event().amount();
            }
            var parameters = Tuple.of(events.get(0).log(), positions, ids, amounts);
            return sql.preparedQuery(
                            "INSERT INTO floor_view SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::bigint[])")
                    .execute(parameters)
                    .onSuccess(done -> IntStream.range(0, count).forEach(i -> all.countDown()));
        });
    }

    private void lag(StoreUnderTest under) throws Exception {
        int commands = rate * seconds;
        var lags = new long[commands];
        var seen = new AtomicInteger(-events);
        var all = new CountDownLatch(events + commands);
        Vertx vertx = under.node().vertx();
        var region =
                under.node().sharding().region(StoredCounter.type(TYPE).type()).orElseThrow();
        ProjectionHandler<CounterMessage.Add> handler =
                ProjectionHandler.each((EventEnvelope<CounterMessage.Add> e) -> {
                    int i = seen.getAndIncrement();
                    if (i >= 0 && i < commands) {
                        lags[i] = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() - e.writtenMillis());
                    }
                    all.countDown();
                    return Future.succeededFuture();
                });
        started(under, handler, () -> {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_S);
            while (all.getCount() > commands && System.nanoTime() < deadline) {
                TimeUnit.MILLISECONDS.sleep(POLL_MS);
            }
            int each = Math.max(1, rate / 100);
            var sent = new AtomicInteger();
            vertx.setPeriodic(10, timer -> {
                for (int i = 0; i < each; i++) {
                    int next = sent.getAndIncrement();
                    if (next >= commands) {
                        vertx.cancelTimer(timer);
                        return;
                    }
                    region.entityRef("e-" + next % ENTITIES).ask(StoredCounter.ADD);
                }
            });
            return all.await(LONGEST_S, TimeUnit.SECONDS);
        });
        var times = new Times(LongStream.of(lags).toArray());
        System.out.printf(
                "project store=%s kind=lag events_per_s=%d poll_ms=%d p50_ms=%.0f p99_ms=%.0f max_ms=%.0f%n",
                under.name(), rate, POLL_MS, times.millis(0.5), times.millis(0.99), times.millis(1));
    }
}
