package benchmark;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Asks at a steady pace, independent of the answers: each counts from the moment at which it was to be sent. */
final class AskStream implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final int MOST = 4_000_000;

    private final Node node;
    private final String[] ids;
    private final int rate;
    private volatile boolean ended;
    private long[] nanos = new long[1 << 16];
    private int answered;
    private int failed;

    /** The asks that were answered in one part of the run. */
    record Part(Times times, int failed) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "asks=%d failed=%d p50_ms=%.2f p99_ms=%.2f p999_ms=%.2f max_ms=%.2f",
                    times.count(),
                    failed,
                    times.millis(0.5),
                    times.millis(0.99),
                    times.millis(0.999),
                    times.millis(1));
        }
    }

    /** @param rate asks a second */
    AskStream(Node node, String[] ids, int rate) {
        this.node = node;
        this.ids = ids;
        this.rate = rate;
        var thread = new Thread(this::run, "asks");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        long begin = System.nanoTime();
        for (long i = 0; !ended; i++) {
            long due = begin + i * TimeUnit.SECONDS.toNanos(1) / rate;
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            // entities of one shard do not follow each other
            var id = ids[(int) (i * 7919 % ids.length)];
            node.counters()
                    .entityRef(id)
                    .<Long>ask(new CounterMessage.AddAndGet(1, Payload.NONE), DEADLINE)
                    .onComplete(sum -> answered(due), failure -> failed());
        }
    }

    private synchronized void answered(long due) {
        if (answered == nanos.length && answered < MOST) {
            nanos = Arrays.copyOf(nanos, 2 * nanos.length);
        }
        nanos[answered % nanos.length] = System.nanoTime() - due;
        answered++;
    }

    private synchronized void failed() {
        failed++;
    }

    /** What was answered since the last cut. */
    synchronized Part cut() {
        var part = new Part(new Times(Arrays.copyOf(nanos, Math.min(answered, nanos.length))), failed);
        answered = 0;
        failed = 0;
        return part;
    }

    @Override
    public void close() {
        ended = true;
    }
}
