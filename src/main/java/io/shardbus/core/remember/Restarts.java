package io.shardbus.core.remember;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Schedules the restarts of entities of a shard that stopped by themselves. The pause doubles each time, and is the
 * shortest again once an instance has run for the longest pause.
 */
final class Restarts {
    private static final int LARGEST_SHIFT = 20;

    private static final class Attempt {
        int failures;
        long startedAt = Long.MIN_VALUE / 2;
        long dueAt;
    }

    private record Due(long moment, String id) {}

    private final long shortest;
    private final long longest;
    private final Map<String, Attempt> attempts = new HashMap<>();
    private final PriorityQueue<Due> queue = new PriorityQueue<>(Comparator.comparingLong(Due::moment));

    /** Milliseconds. */
    Restarts(long shortest, long longest) {
        this.shortest = shortest;
        this.longest = longest;
    }

    void stopped(String id, long now) {
        Attempt attempt = attempts.computeIfAbsent(id, key -> new Attempt());
        attempt.failures = now - attempt.startedAt >= longest ? 1 : attempt.failures + 1;
        attempt.dueAt = now + Math.min(longest, shortest << Math.min(attempt.failures - 1, LARGEST_SHIFT));
        queue.add(new Due(attempt.dueAt, id));
    }

    void started(String id, long now) {
        Attempt attempt = attempts.get(id);
        if (attempt != null) {
            attempt.startedAt = now;
        }
    }

    void forget(String id) {
        attempts.remove(id);
    }

    /** Takes the next entity whose pause is over and that still waits; null if there is none. */
    @Nullable
    String poll(long now, Predicate<String> waits) {
        for (Due due = queue.peek(); due != null && due.moment() <= now; due = queue.peek()) {
            queue.remove();
            Attempt attempt = attempts.get(due.id());
            if (attempt != null && attempt.dueAt == due.moment() && waits.test(due.id())) {
                return due.id();
            }
        }
        return null;
    }
}
