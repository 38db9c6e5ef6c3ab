package io.shardbus.simulation.seeds;

import io.shardbus.simulation.Simulation;
import io.shardbus.simulation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/** The seeds that a build tries of one family, on a few threads. The first that fails is made smaller and shown. */
final class Seeds {
    private static final Long ONE = Long.getLong("shardbus.simulation.seed");
    private static final long FIRST = Long.getLong("shardbus.simulation.first", 1);
    private static final long ALL = Long.getLong("shardbus.simulation.seeds", 200);
    private static final int THREADS = Integer.getInteger("shardbus.simulation.threads", 2);
    private static final String ONLY = System.getProperty("shardbus.simulation.family", "");
    private static final int MOST_FAILURES = 3;

    private final Family family;
    private final Map<Long, Violation> failures = new ConcurrentSkipListMap<>();

    Seeds(Family family) {
        this.family = family;
    }

    void mustAllHold() {
        long first = ONE == null ? FIRST : ONE;
        long last = ONE == null ? FIRST + family.share(ALL) - 1 : ONE;
        if (ONLY.isEmpty() || ONLY.equals(family.name())) {
            tryAll(first, last);
        }
        if (!failures.isEmpty()) {
            Map.Entry<Long, Violation> smallest = new TreeMap<>(failures).firstEntry();
            throw new AssertionError(
                    failures.keySet() + " of " + family + "\n"
                            + new Shrinker(family, smallest.getKey(), smallest.getValue()).shrink(),
                    smallest.getValue());
        }
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
                new Simulation(family.options(seed)).run();
            } catch (Violation broken) {
                failures.put(seed, broken);
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
