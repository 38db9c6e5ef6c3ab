package benchmark;

import io.shardbus.EntityRef;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Asks each entity every 20 ms, and keeps the longest time without an answer of each, as the peer's probe does. */
final class Probe {
    private static final Duration FIRST_DEADLINE = Duration.ofSeconds(30);
    private static final Duration DEADLINE = Duration.ofSeconds(1);
    private static final long PAUSE_MS = 20;
    private static final long LAST_ANSWERS_MS = 1500;
    private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(4);

    private final List<EntityRef<CounterMessage>> entities;
    private final Stalls stalls;
    private final List<Failed> failed = new ArrayList<>();
    private final long[] lastOk;
    private final long[] gap;
    private final long[] gapSinceFault;
    private long ok;
    private long lastRound;

    /** An ask, from when it was sent until it failed. */
    private record Failed(long from, long to) {}

    /** @param stalls of this process */
    Probe(List<EntityRef<CounterMessage>> entities, Stalls stalls) {
        this.entities = entities;
        this.stalls = stalls;
        this.lastOk = new long[entities.size()];
        this.gap = new long[entities.size()];
        this.gapSinceFault = new long[entities.size()];
    }

    /** Starts all entities. */
    void begin() throws Exception {
        var first = entities.stream().map(entity -> ask(entity, FIRST_DEADLINE)).toList();
        Future.all(first).await(FIRST_DEADLINE.toSeconds() * 2, TimeUnit.SECONDS);
        lastRound = System.nanoTime();
        Arrays.fill(lastOk, lastRound);
    }

    private static Future<Long> ask(EntityRef<CounterMessage> entity, Duration deadline) {
        return entity.ask(new CounterMessage.AddAndGet(1, Payload.NONE), deadline);
    }

    /** Asks until the moment. */
    void runUntil(long nanoTime) throws InterruptedException {
        while (System.nanoTime() < nanoTime) {
            round();
        }
    }

    /** Asks until something else is done. */
    <T> T runUntil(Future<T> done, Duration atMost) throws Exception {
        long end = System.nanoTime() + atMost.toNanos();
        while (!done.isComplete() && System.nanoTime() < end) {
            round();
        }
        return done.await(0, TimeUnit.SECONDS);
    }

    private void round() throws InterruptedException {
        long begun = System.nanoTime();
        stalls.asked(lastRound, begun);
        lastRound = begun;
        for (int i = 0; i < entities.size(); i++) {
            int entity = i;
            long sent = System.nanoTime();
            ask(entities.get(i), DEADLINE).onComplete(sum -> answered(entity), failure -> failed(sent));
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    }

    /** Waits for the answers that are still to come. */
    void end() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(LAST_ANSWERS_MS);
    }

    private synchronized void answered(int entity) {
        long now = System.nanoTime();
        ok++;
        gap[entity] = Math.max(gap[entity], now - lastOk[entity]);
        gapSinceFault[entity] = Math.max(gapSinceFault[entity], now - lastOk[entity]);
        lastOk[entity] = now;
    }

    private synchronized void failed(long sent) {
        failed.add(new Failed(sent, System.nanoTime()));
    }

    /** The fault happens now: gaps that end later are kept apart too. */
    synchronized void faultHappens() {
        Arrays.fill(gapSinceFault, 0);
    }

    /** The gaps of all entities up to now. */
    synchronized String gaps() {
        return gaps(gap, all -> true);
    }

    /** The gaps of some entities that ended after the fault. */
    synchronized String gapsSinceFault(IntPredicate which) {
        return gaps(gapSinceFault, which);
    }

    private String gaps(long[] from, IntPredicate which) {
        int[] chosen = IntStream.range(0, from.length).filter(which).toArray();
        long[] sorted = Arrays.stream(chosen).mapToLong(i -> from[i]).sorted().toArray();
        if (sorted.length == 0) {
            return "none";
        }
        long now = System.nanoTime();
        long silent = Arrays.stream(chosen)
                .filter(i -> now - lastOk[i] > SILENT_NANOS)
                .count();
        return String.format(
                Locale.ROOT,
                "gap_ms: median=%.0f p90=%.0f max=%.0f still_silent=%d",
                millis(sorted[sorted.length / 2]),
                millis(sorted[(int) (sorted.length * 0.9)]),
                millis(sorted[sorted.length - 1]),
                silent);
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }

    /** The line that the peer's probe prints. */
    synchronized String summary() {
        return "probe ok=" + ok + " failed=" + failed.size() + " " + gaps();
    }

    /** How late this process was itself, and how many asks failed while it got no time. */
    synchronized String ownStalls() {
        long meanwhile = failed.stream()
                .filter(ask -> stalls.wereBetween(ask.from, ask.to))
                .count();
        return "asker " + stalls + " failed_meanwhile=" + meanwhile;
    }
}
