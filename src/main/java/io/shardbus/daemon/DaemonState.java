package io.shardbus.daemon;

import io.shardbus.wire.TextFields;
import java.util.Optional;

/**
 * State of a set of workers on which all nodes agree.
 *
 * @param revision how often the set was rescaled
 * @param total number of its workers
 * @param previous number of its workers before the last rescaling; 0 at revision 0
 * @param completed whether all workers of the previous revision have stopped, or did not within {@code stopTimeoutMs};
 *     the workers of this revision start only then
 */
public record DaemonState(long revision, int total, int previous, boolean completed) {
    private static final int REVISION = 1;
    private static final int TOTAL = 2;
    private static final int PREVIOUS = 3;
    private static final int COMPLETED = 4;

    /** A set that was never rescaled. */
    static DaemonState initial(int total) {
        return new DaemonState(0, total, 0, true);
    }

    /** The state while it is rescaled to another number. */
    DaemonState rescaled(int next) {
        return new DaemonState(revision + 1, next, total, false);
    }

    /** The state when the workers of the previous revision have stopped, or their stop has timed out. */
    DaemonState complete() {
        return new DaemonState(revision, total, previous, true);
    }

    /** The later of two states: the higher revision, and of one revision the completed state. */
    static DaemonState merge(DaemonState one, DaemonState other) {
        if (one.revision != other.revision) {
            return one.revision > other.revision ? one : other;
        }
        return one.completed ? one : other;
    }

    /**
     * The worker with the agreed number of workers; empty if the agreed state does not want it to run. At revision 0 an
     * id does not contain the number of workers, and nodes may be configured differently: the agreed number counts.
     */
    Optional<WorkerId> wanted(WorkerId worker) {
        boolean sameTotal = revision == 0 || worker.total() == total;
        return completed && worker.revision() == revision && sameTotal && worker.number() < total
                ? Optional.of(worker(worker.number()))
                : Optional.empty();
    }

    /** A worker of this revision. */
    WorkerId worker(int number) {
        return new WorkerId(revision, total, number);
    }

    /** A worker of the previous revision. */
    WorkerId previousWorker(int number) {
        return new WorkerId(revision - 1, previous, number);
    }

    String text() {
        return new TextFields()
                .put(REVISION, Long.toString(revision))
                .put(TOTAL, Integer.toString(total))
                .put(PREVIOUS, Integer.toString(previous))
                .put(COMPLETED, Boolean.toString(completed))
                .text();
    }

    /** @throws IllegalStateException for a text that is no state of a set */
    static DaemonState parse(String text) {
        try {
            TextFields fields = TextFields.parse(text).orElseThrow();
            return new DaemonState(
                    Long.parseLong(fields.get(REVISION).orElseThrow()),
                    Integer.parseInt(fields.get(TOTAL).orElseThrow()),
                    Integer.parseInt(fields.get(PREVIOUS).orElse("0")),
                    Boolean.parseBoolean(fields.get(COMPLETED).orElseThrow()));
        } catch (RuntimeException e) {
            throw new IllegalStateException("a state of workers that this build cannot read: " + text, e);
        }
    }
}
