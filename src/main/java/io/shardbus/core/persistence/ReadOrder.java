package io.shardbus.core.persistence;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The order in which the entities of a lane are read: those for which messages wait before those for which none does,
 * such as remembered ones that come back. So that these come back under any load, too, no more than three of the former
 * are read in a row while one of the latter waits. Among themselves they are read in the order in which they came.
 *
 * @param <T> a read; two that are equal count as one
 */
public final class ReadOrder<T> {
    private static final int WANTED_IN_A_ROW = 3;

    private final Set<T> wanted = new LinkedHashSet<>();
    private final Set<T> others = new LinkedHashSet<>();
    /** Reads of wanted entities since the last one of another. */
    private int inARow;

    /** Whether none waits. */
    public boolean isEmpty() {
        return wanted.isEmpty() && others.isEmpty();
    }

    /** @param isWanted whether a message waits for the entity */
    public void add(T read, boolean isWanted) {
        (isWanted ? wanted : others).add(read);
    }

    /** A message has come for the entity; does nothing for a read that does not wait. */
    public void hasten(T read) {
        if (others.remove(read)) {
            wanted.add(read);
        }
    }

    /** The read that is next; there must be one. */
    public T next() {
        return (isTurnOfOthers() ? others : wanted).iterator().next();
    }

    /** Takes the read that is next; there must be one. */
    public T take() {
        T next = next();
        if (isTurnOfOthers()) {
            others.remove(next);
            inARow = 0;
        } else {
            wanted.remove(next);
            inARow = Math.min(inARow + 1, WANTED_IN_A_ROW);
        }
        return next;
    }

    private boolean isTurnOfOthers() {
        return wanted.isEmpty() || inARow >= WANTED_IN_A_ROW && !others.isEmpty();
    }
}
