package benchmark;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How late this process was for what it had to do itself: what an asker was late for is no silence of those whom it
 * asks. A thread that only sleeps is late when the whole process gets no time, as in a collection or on a machine that
 * stands still; an event loop is late too when what it does takes long. Each time that is long is also logged.
 */
final class Stalls {
    private static final Logger LOG = LoggerFactory.getLogger(Stalls.class);
    private static final long PERIOD_MS = 20;
    private static final long NOTED_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final List<Stall> ofProcess = new ArrayList<>();
    private long process;
    private long loops;
    private long asking;

    /** The process got no time between two moments of {@link System#nanoTime}. */
    private record Stall(long from, long to) {}

    /** Watches the process, and all event loops of a Vert.x of it. */
    static Stalls watch(Vertx vertx, int eventLoops) {
        var stalls = new Stalls();
        vertx.deployVerticle(() -> stalls.new LoopWatch(), new DeploymentOptions().setInstances(eventLoops));
        var thread = new Thread(stalls::watchProcess, "stalls");
        thread.setDaemon(true);
        thread.start();
        return stalls;
    }

    private final class LoopWatch extends VerticleBase {
        private long last = System.nanoTime();

        @Override
        public Future<?> start() {
            vertx.setPeriodic(PERIOD_MS, tick -> {
                long before = last;
                last = System.nanoTime();
                loopWasLate(late(before, last));
            });
            return Future.succeededFuture();
        }
    }

    private void watchProcess() {
        try {
            long last = System.nanoTime();
            while (true) {
                TimeUnit.MILLISECONDS.sleep(PERIOD_MS);
                long before = last;
                last = System.nanoTime();
                processWasLate(before, last);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static long late(long from, long to) {
        return to - from - TimeUnit.MILLISECONDS.toNanos(PERIOD_MS);
    }

    private synchronized void processWasLate(long from, long to) {
        process = Math.max(process, late(from, to));
        if (note("the process", late(from, to))) {
            ofProcess.add(new Stall(from, to));
        }
    }

    private synchronized void loopWasLate(long nanos) {
        loops = Math.max(loops, nanos);
        note("an event loop", nanos);
    }

    /** The thread that asks began a round at each of these moments. */
    synchronized void asked(long from, long to) {
        asking = Math.max(asking, late(from, to));
        note("the thread that asks", late(from, to));
    }

    private static boolean note(String what, long nanos) {
        if (nanos < NOTED_NANOS) {
            return false;
        }
        LOG.warn("{} was {} ms late", what, millis(nanos));
        return true;
    }

    /** Whether the process was late for long between two moments. */
    synchronized boolean wereBetween(long from, long to) {
        return ofProcess.stream().anyMatch(stall -> stall.from < to && stall.to > from);
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    @Override
    public synchronized String toString() {
        long collections = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
        return String.format(
                Locale.ROOT,
                "late_ms: process=%d loops=%d asking=%d collections=%d",
                millis(process),
                millis(loops),
                millis(asking),
                collections);
    }
}
