package io.shardbus.simulation.seeds;

import io.shardbus.simulation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** The seeds that a build tries of one family, on a few threads. The first that fails is made smaller and shown. */
final class Seeds {
    private static final Long ONE = Long.getLong("shardbus.simulation.seed");
    private static final long FIRST = Long.getLong("shardbus.simulation.first", 1);
    private static final long ALL = Long.getLong("shardbus.simulation.seeds", 200);
    private static final int THREADS = Integer.getInteger("shardbus.simulation.threads", 2);
    private static final String ONLY = System.getProperty("shardbus.simulation.family", "");
    private static final int MOST_FAILURES = 3;

    private final Family family;
    private final LongConsumer run;
    private final Map<Long, Throwable> failures = new ConcurrentSkipListMap<>();
    private final AtomicLong completed = new AtomicLong();

    Seeds(Family family) {
        this(family, seed -> family.run(seed, false));
    }

    /** @param run runs one seed, and throws what it breaks */
    Seeds(Family family, LongConsumer run) {
        this.family = family;
        this.run = run;
    }

    /**
     * Whether this build tries the family at all.
     *
     * @throws IllegalArgumentException if the one that was asked for does not exist
     */
    static boolean areWanted(Family family) {
        return ONLY.isEmpty() || Family.valueOf(ONLY) == family;
    }

    void mustAllHold() {
        long first = ONE == null ? FIRST : ONE;
        mustHold(first, ONE == null ? FIRST + family.share(ALL) - 1 : ONE);
    }

    /** Fails unless each of the seeds was run to its end without a failure of any kind. */
    void mustHold(long first, long last) {
        tryAll(first, last);
        if (!failures.isEmpty()) {
            Map.Entry<Long, Throwable> smallest = new TreeMap<>(failures).firstEntry();
            throw new AssertionError(
                    failures.keySet() + " of " + family + "\n" + shown(smallest.getKey(), smallest.getValue()),
                    smallest.getValue());
        }
        if (completed.get() != last - first + 1) {
            throw new AssertionError(
                    completed + " of the seeds " + first + " to " + last + " of " + family + " were run to their end");
        }
    }

    private String shown(long seed, Throwable failure) {
        if (failure instanceof Violation broken && !family.hasSchedule()) {
            return "seed " + seed + " of " + family + " breaks " + broken.getMessage()
                    + "\nreplay with -Dtest=SimulationTest -Dshardbus.simulation.family=" + family.name()
                    + " -Dshardbus.simulation.seed=" + seed + "\n";
        }
        return failure instanceof Violation broken
                ? new Shrinker(family, seed, broken).shrink()
                : "the simulator itself failed with seed " + seed + ": " + failure;
    }

    private void tryAll(long first, long last) {
        AtomicLong next = new AtomicLong(first);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> tryFrom(next, last), "seeds-" + i);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            join(thread);
        }
    }

    private void tryFrom(AtomicLong next, long last) {
        for (long seed = next.getAndIncrement(); seed <= last; seed = next.getAndIncrement()) {
            if (failures.size() >= MOST_FAILURES) {
                return;
            }
            try {
                run.accept(seed);
                completed.incrementAndGet();
            } catch (RuntimeException | Error failure) {
                failures.put(seed, failure);
            }
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while seeds were tried", e);
        }
    }
}
