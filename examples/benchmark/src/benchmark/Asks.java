package benchmark;

import io.shardbus.ShardRegion;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;

/** Asks to the entities counter-0, counter-1, and so on of a region. */
final class Asks {
    private static final int UNDER_WAY = 10_000;
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final int EVERY_MS = 10;
    private static final int AT_ONCE = 10;
    private static final int MOST_KEPT = 1_000_000;

    private final ShardRegion<CounterMessage> region;
    private final int ids;
    private final long[] waits = new long[MOST_KEPT];
    private int answered;
    private int failed;
    private long timer;

    Asks(ShardRegion<CounterMessage> region, int ids) {
        this.region = region;
        this.ids = ids;
    }

    private Future<Long> ask(int id) {
        return region.entityRef("counter-" + id).ask(new CounterMessage.AddAndGet(1, Payload.NONE), DEADLINE);
    }

    /** Asks each id once: then it is remembered. */
    void all() throws InterruptedException {
        var permits = new Semaphore(UNDER_WAY);
        var all = new CountDownLatch(ids);
        for (int i = 0; i < ids; i++) {
            permits.acquire();
            ask(i).onComplete(
                            sum -> {
                                permits.release();
                                all.countDown();
                            },
                            Asks::halt);
        }
        all.await();
    }

    private static void halt(Throwable failure) {
        failure.printStackTrace();
        Runtime.getRuntime().halt(3);
    }

    /** Asks a thousand in a second, by chance, until the end. */
    void beginSome(Vertx vertx) {
        timer = vertx.setPeriodic(EVERY_MS, tick -> {
            for (int i = 0; i < AT_ONCE; i++) {
                long begin = System.nanoTime();
                ask(ThreadLocalRandom.current().nextInt(ids)).onComplete(sum -> answered(begin), failure -> failed());
            }
        });
    }

    private synchronized void answered(long begin) {
        waits[answered++ % MOST_KEPT] = System.nanoTime() - begin;
    }

    private synchronized void failed() {
        failed++;
    }

    void end(Vertx vertx) {
        vertx.cancelTimer(timer);
    }

    /** How many there were, and how long they waited. */
    synchronized String summary() {
        long[] sorted = Arrays.copyOf(waits, Math.min(answered, MOST_KEPT));
        Arrays.sort(sorted);
        return String.format(
                Locale.ROOT,
                "asks=%d failed=%d p50_ms=%.1f p99_ms=%.1f longest_ms=%.1f",
                answered,
                failed,
                millis(sorted, 0.5),
                millis(sorted, 0.99),
                millis(sorted, 1));
    }

    private static double millis(long[] sorted, double share) {
        return sorted.length == 0 ? 0 : sorted[(int) ((sorted.length - 1) * share)] / 1e6;
    }
}
