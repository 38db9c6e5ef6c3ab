package io.shardbus.simulation;

import java.util.Comparator;
import java.util.PriorityQueue;

/** The time of a simulated cluster: tasks in the order of their moments, and within one moment in the order of their making. */
final class Scheduler {
    private record Task(long moment, long number, Runnable action) {}

    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::moment).thenComparingLong(Task::number));
    private long now;
    private long made;

    long now() {
        return now;
    }

    void after(long delay, Runnable action) {
        tasks.add(new Task(now + delay, made++, action));
    }

    void runUntil(long end) {
        while (!tasks.isEmpty() && tasks.element().moment() <= end) {
            Task task = tasks.remove();
            now = task.moment();
            task.action().run();
        }
        now = end;
    }

    /** A way on which nothing overtakes: a connection, or the queue of an event loop. */
    final class Line {
        private long last;
        private int life;

        void deliver(long delay, Runnable action) {
            last = Math.max(last, now + delay);
            int born = life;
            tasks.add(new Task(last, made++, () -> {
                if (life == born) {
                    action.run();
                }
            }));
        }

        /** Drops what is on the way. */
        void cut() {
            life++;
        }
    }
}
