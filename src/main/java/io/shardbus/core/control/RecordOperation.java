package io.shardbus.core.control;

/**
 * The operation on the term record that is under way, of which there is one at a time, and when the next one is due.
 */
final class RecordOperation {
    private long number;
    private boolean underWay;
    private long sent;
    private long due = Long.MIN_VALUE;

    /** Whether the next one may begin. */
    boolean isDue(long now) {
        return !underWay && now >= due;
    }

    void dueAt(long moment) {
        due = moment;
    }

    /** At this moment at the latest. */
    void dueBy(long moment) {
        due = Math.min(due, moment);
    }

    /** Begins the next one; its number. */
    long begin(long now) {
        number++;
        underWay = true;
        sent = now;
        return number;
    }

    /** The moment at which the last one was sent. */
    long sent() {
        return sent;
    }

    /** Returns false if another operation is under way, or none. */
    boolean end(long of) {
        if (of != number || !underWay) {
            return false;
        }
        underWay = false;
        return true;
    }
}
