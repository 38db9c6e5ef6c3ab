package io.shardbus.simulation.time;

import java.util.PriorityQueue;

/**
 * The time of a simulated cluster: tasks in the order of their moments, and within one moment in the order of their
 * making.
 */
public final class Scheduler {
    private record Task(long moment, long number, Runnable action) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            int byMoment = Long.compare(moment, other.moment);
            return byMoment != 0 ? byMoment : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Task> tasks = new PriorityQueue<>(256);
    private long now;
    private long made;

    public long now() {
        return now;
    }

    public void after(long delay, Runnable action) {
        tasks.add(new Task(now + delay, made++, action));
    }

    public void runUntil(long end) {
        while (!tasks.isEmpty() && tasks.element().moment() <= end) {
            Task task = tasks.remove();
            now = task.moment();
            task.action().run();
        }
        now = end;
    }

    /** A way on which nothing overtakes: a connection, or the queue of an event loop. */
    public final class Line {
        private long last;

        public void deliver(long delay, Runnable action) {
            last = Math.max(last, now + delay);
            tasks.add(new Task(last, made++, action));
        }
    }
}
