package io.shardbus.core.persistence;

import io.shardbus.model.FailureCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The one writer of a log, in one shard's stay on this lane.
 *
 * <pre>{@code
 *           wanted             opened
 * CLOSED ----------> OPENING ----------> OPEN
 *                     ^   |  failed        |  a batch was refused, or its answer was lost
 *                     |   v                |
 *                    CLOSED <--------------+        any: a newer token -> SUPERSEDED
 * }</pre>
 *
 * A log that is opened again says with its end which of the commits under way are stored; the others are sent again.
 */
final class LogWriter<R> {
    /** State of the log. */
    enum State {
        CLOSED,
        OPENING,
        OPEN,
        SUPERSEDED
    }

    /** The waiting commits and those under way of all logs of a lane. */
    static final class Load {
        private long bytes;
        private long commits;

        long commits() {
            return commits;
        }

        long bytes() {
            return bytes;
        }
    }

    private final LogKey key;
    private final Load load;
    private final BiConsumer<String, Throwable> thrown;
    private final ArrayDeque<Commit<R>> sent = new ArrayDeque<>();
    private final ArrayDeque<Commit<R>> waiting = new ArrayDeque<>();
    private final Map<String, Integer> pending = new HashMap<>();
    private State state = State.CLOSED;
    /** Why the log is another's; empty while it is not. */
    private String loss = "";

    private int log;
    private long opening;
    private long end;
    private long confirmed;
    /** Written on the lane, and read by entities that decide on other threads. */
    private volatile long generation;
    /** One for all entities of the log. */
    private final LongSupplier generations = this::generation;

    /** @param thrown told the entity's id and what was thrown while a commit was told what became of it */
    LogWriter(LogKey key, Load load, BiConsumer<String, Throwable> thrown) {
        this.key = key;
        this.load = load;
        this.thrown = thrown;
    }

    LogKey key() {
        return key;
    }

    State state() {
        return state;
    }

    int log() {
        return log;
    }

    long opening() {
        return opening;
    }

    /** Rises when states that were built from what the store had confirmed are no longer to be relied on. */
    long generation() {
        return generation;
    }

    /** {@link #generation}; any thread. */
    LongSupplier generations() {
        return generations;
    }

    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    /** Whether nothing waits and nothing is under way. */
    boolean isIdle() {
        return sent.isEmpty() && waiting.isEmpty();
    }

    boolean isPending(String id) {
        return pending.containsKey(id);
    }

    void add(Commit<R> commit) {
        waiting.add(commit);
        load.bytes += commit.bytes();
        load.commits++;
        pending.merge(commit.id(), 1, Integer::sum);
    }

    void opening(boolean begins) {
        if (state != State.SUPERSEDED) {
            state = begins ? State.OPENING : State.CLOSED;
        }
    }

    /** Closes the log: it is opened again before the next append. */
    void close() {
        if (state == State.OPEN) {
            state = State.CLOSED;
        }
    }

    /**
     * The store has opened the log, which ends there. Commits are told last, when this writer is as it will be: one
     * that is told may add others, and have them sent.
     *
     * @return false where the store has lost rows that it had confirmed
     */
    boolean opened(int number, long nowOpening, long foundEnd) {
        state = State.OPEN;
        log = number;
        opening = nowOpening;
        boolean isRegressed = foundEnd < confirmed;
        end = foundEnd;
        confirmed = foundEnd;
        List<Commit<R>> stored = new ArrayList<>();
        List<Commit<R>> unstored = new ArrayList<>();
        for (Commit<R> commit : sent) {
            if (commit.last <= foundEnd) {
                stored.add(commit);
            } else {
                commit.last = 0;
                unstored.add(commit);
            }
        }
        sent.clear();
        for (int i = unstored.size() - 1; i >= 0; i--) {
            waiting.addFirst(unstored.get(i));
        }
        for (Commit<R> commit : stored) {
            settled(commit);
            tell(commit, commit::stored);
        }
        if (isRegressed) {
            // made from states that the store no longer has
            failAll(FailureCode.STORE_UNAVAILABLE, "the store has lost rows that it had confirmed");
        }
        return !isRegressed;
    }

    /** Takes the next commits that fit, and gives them their positions; none where the next is to travel alone. */
    List<Commit<R>> take(int rows, int bytes, boolean isFirst) {
        List<Commit<R>> taken = new ArrayList<>();
        int rowsLeft = rows;
        int bytesLeft = bytes;
        Set<String> apart = new HashSet<>();
        while (!waiting.isEmpty()) {
            Commit<R> next = waiting.getFirst();
            boolean isAlone = isFirst && taken.isEmpty();
            boolean fits = next.rows().size() <= rowsLeft && next.bytes() <= bytesLeft && !next.isSuspect;
            if ((!fits && !isAlone) || (next.isApart() && !apart.add(next.id()))) {
                break;
            }
            waiting.removeFirst();
            rowsLeft -= next.rows().size();
            bytesLeft -= next.bytes();
            end += next.rows().size();
            next.last = end;
            sent.add(next);
            taken.add(next);
            if (next.isSuspect || !fits) {
                break;
            }
        }
        return taken;
    }

    /** The last position that the store has confirmed. */
    long confirmed() {
        return confirmed;
    }

    /** The position behind which the next rows go. */
    long end() {
        return end;
    }

    /** The store has confirmed these, which are the first under way. */
    void stored(List<Commit<R>> commits) {
        for (Commit<R> commit : commits) {
            if (sent.remove(commit)) {
                confirmed = Math.max(confirmed, commit.last);
                settled(commit);
                tell(commit, commit::stored);
            }
        }
    }

    /** The store refuses a row of this commit: nothing of it is stored, and it is not sent again. */
    void refused(Commit<R> commit, String reason) {
        if (!sent.contains(commit)) {
            return;
        }
        List<Commit<R>> behind = behind(commit);
        remove(commit);
        behind.forEach(this::remove);
        tell(commit, () -> commit.failed(FailureCode.ENTITY_FAILED, reason));
        behind.forEach(next -> tell(
                next, () -> next.failed(FailureCode.STORE_UNAVAILABLE, "a command before it was refused: " + reason)));
    }

    /**
     * All of an entity behind a refused commit. Those that were sent are not stored either: the log does not end where
     * they were to go. Those that were sent before it may be stored: their own answers, or the next opening, tell.
     */
    private List<Commit<R>> behind(Commit<R> refused) {
        return Stream.concat(
                        sent.stream().dropWhile(commit -> commit != refused).skip(1), waiting.stream())
                .filter(commit -> commit.id().equals(refused.id()))
                .toList();
    }

    private void remove(Commit<R> commit) {
        if (!sent.remove(commit)) {
            waiting.remove(commit);
        }
        settled(commit);
    }

    void superseded(String why) {
        state = State.SUPERSEDED;
        loss = why;
        failAll(FailureCode.SUPERSEDED, why);
    }

    /** Why nothing is stored here any more. */
    String loss() {
        return loss;
    }

    /** Fails all: rows that were sent may be stored, what waits was never sent. */
    void failAll(FailureCode code, String reason) {
        // the lane alone writes it
        long next = generation + 1;
        generation = next;
        List<Commit<R>> unknown = List.copyOf(sent);
        List<Commit<R>> unsent = List.copyOf(waiting);
        sent.clear();
        waiting.clear();
        unknown.forEach(this::settled);
        unsent.forEach(this::settled);
        unknown.forEach(commit -> tell(
                commit, () -> commit.failed(commit.rows().isEmpty() ? code : FailureCode.OUTCOME_UNKNOWN, reason)));
        unsent.forEach(commit -> tell(commit, () -> commit.failed(code, reason)));
    }

    /** An exception in one entity's continuation does not affect those of others. */
    private void tell(Commit<R> commit, Runnable what) {
        try {
            what.run();
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            thrown.accept(commit.id(), e);
        }
    }

    private void settled(Commit<R> commit) {
        load.bytes -= commit.bytes();
        load.commits--;
        pending.computeIfPresent(commit.id(), (id, count) -> count == 1 ? null : count - 1);
    }
}
