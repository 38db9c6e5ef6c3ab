package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.OperatingSystemMXBean;
import io.shardbus.Ask;
import io.shardbus.EntityType;
import io.shardbus.options.PostgresOptions;
import io.shardbus.options.SqliteOptions;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.ReminderStore;
import io.shardbus.persistence.spi.ReminderStore.Reminder;
import io.shardbus.persistence.spi.ReminderStore.Settled;
import io.shardbus.reminder.Reminders;
import io.shardbus.store.postgres.PostgresStore;
import io.shardbus.store.postgres.TestPostgres;
import io.shardbus.store.sqlite.SqliteStore;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code -Dshardbus.reminders=100000} takes the figures of docs/measurements/performance.md. */
@DisplayName("Many reminders")
@Tag("slow")
class ManyRemindersIT {
    private static final Logger LOG = LoggerFactory.getLogger(ManyRemindersIT.class);
    private static final int COUNT = Integer.getInteger("shardbus.reminders", 3_000);
    /** Milliseconds for which processor time is taken while nothing is due. */
    private static final long IDLE_MS = Math.min(10_000, COUNT / 10);

    private static final int AT_ONCE = 256;
    private static final EntityType<Message> TYPE = EntityType.of("sleeper", Message.class);
    private static final List<Integer> ALL =
            IntStream.range(0, ReminderStore.PARTS).boxed().toList();

    private final Vertx vertx = Vertx.vertx();
    private final Map<String, Integer> woken = new ConcurrentHashMap<>();

    @TempDir
    private Path directory;

    sealed interface Message {}

    record Sleep(long until) implements Message, Ask<Boolean> {}

    record Wake() implements Message {}

    sealed interface Event {}

    record Slept(long until) implements Event {}

    record Woke() implements Event {}

    private final class Sleeper implements EventSourcedEntity<Message, Event, Boolean> {
        private final String id;

        private Sleeper(String id) {
            this.id = id;
        }

        @Override
        public Boolean emptyState() {
            return false;
        }

        @Override
        public Effect<Event, Boolean> handle(Boolean awake, Message message, PersistenceContext<Message> context) {
            if (message instanceof Sleep sleep) {
                context.remind("wake", Instant.ofEpochMilli(sleep.until()), new Wake());
                return persist(new Slept(sleep.until())).thenReply(now -> now).thenPassivate();
            }
            woken.merge(id, 1, Integer::sum);
            return persist(new Woke()).thenReply(now -> now).thenPassivate();
        }

        @Override
        public Boolean apply(Boolean awake, Event event) {
            return event instanceof Woke;
        }
    }

    @Test
    @DisplayName("wait in SQLite, and come")
    void sqlite() {
        String file = directory.resolve("a.db").toString();
        measure("SQLite", SqliteStore.create(vertx, new SqliteOptions().setFile(file)));
    }

    @Test
    @DisplayName("wait in PostgreSQL, and come")
    void postgres() {
        String uri = TestPostgres.newDatabase(vertx);
        measure("PostgreSQL", PostgresStore.create(vertx, new PostgresOptions().setUri(uri)));
    }

    private void measure(String name, PersistenceStore store) {
        var definition = EventSourced.of(TYPE, Sleeper::new, EventCodec.json(Event.class))
                .on(store);
        try (var cluster = ClusterTestKit.start(1)) {
            cluster.startType(definition);
            ClusterTestKit.Node node = cluster.node(0);
            double busyBefore = processorShare();
            long heapBefore = heap();
            long begun = System.nanoTime();
            setAll(node, System.currentTimeMillis() + Duration.ofHours(5).toMillis());
            cluster.until(
                    "all are passivated",
                    () -> ClusterTestKit.await(node.sharding()
                                            .region(TYPE)
                                            .orElseThrow()
                                            .state())
                                    .entities()
                            == 0);
            long setMs = millisSince(begun);
            ClusterTestKit.await(
                    Reminders.create(node.vertx(), node.sharding(), store).start(definition));
            double busyIdle = processorShare();
            long heapMore = heap() - heapBefore;
            int type = ClusterTestKit.await(store.reader().type(TYPE.name()));
            long looked = System.nanoTime();
            ClusterTestKit.await(store.reminders().first(type, ALL.subList(0, 16), 100));
            long lookMicros = (System.nanoTime() - looked) / 1000;
            makeDue(store, type);
            long due = System.nanoTime();
            while (!first(store, type, 1).isEmpty()) {
                assertTrue(millisSince(due) < 600_000, () -> woken.size() + " of " + COUNT + " were woken in 600 s");
                pause(100); // the workers have the store to themselves
            }
            long wokenMs = millisSince(due);
            assertEquals(COUNT, woken.size());
            // above the level of the tests' log: the figures are what the run is for
            LOG.warn(
                    "{} reminders in {}: set in {} ms; heap {} KiB more; processor {} % before, {} % while they wait;"
                            + " a look {} us; all woken in {} ms, {} deliveries",
                    COUNT,
                    name,
                    setMs,
                    heapMore >> 10,
                    busyBefore,
                    busyIdle,
                    lookMicros,
                    wokenMs,
                    woken.values().stream().mapToInt(times -> times).sum());
        } finally {
            ClusterTestKit.await(store.close());
            ClusterTestKit.await(vertx.close());
        }
    }

    private static void setAll(ClusterTestKit.Node node, long until) {
        AtomicInteger next = new AtomicInteger();
        List<Future<Void>> chains = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            chains.add(setNext(node, until, next));
        }
        Future.all(chains).toCompletionStage().toCompletableFuture().join();
    }

    private static Future<Void> setNext(ClusterTestKit.Node node, long until, AtomicInteger next) {
        int number = next.getAndIncrement();
        return number >= COUNT
                ? Future.succeededFuture()
                : node.sharding()
                        .entityRef(TYPE, "s" + number)
                        .ask(new Sleep(until))
                        .compose(set -> setNext(node, until, next));
    }

    private static List<Reminder> first(PersistenceStore store, int type, int limit) {
        return ClusterTestKit.await(store.reminders().first(type, ALL, limit));
    }

    private static void makeDue(PersistenceStore store, int type) {
        List<Reminder> all = first(store, type, COUNT);
        assertEquals(COUNT, all.size());
        for (int from = 0; from < COUNT; from += 1000) {
            List<Settled> some = all.subList(from, Math.min(COUNT, from + 1000)).stream()
                    .map(reminder -> new Settled(reminder, 1))
                    .toList();
            ClusterTestKit.await(store.reminders().settle(type, some));
        }
    }

    private static long millisSince(long nanos) {
        return (System.nanoTime() - nanos) / 1_000_000;
    }

    private static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Of one core, in percent, over a while. */
    private static double processorShare() {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpu = system.getProcessCpuTime();
        long begun = System.nanoTime();
        pause(IDLE_MS);
        return Math.round(1000.0 * (system.getProcessCpuTime() - cpu) / (System.nanoTime() - begun)) / 10.0;
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
