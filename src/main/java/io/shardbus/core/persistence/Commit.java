package io.shardbus.core.persistence;

import io.shardbus.model.FailureCode;
import java.util.List;

/**
 * Rows that one command of an entity stores: all or none. One without rows is stored where the log still has this home.
 */
public abstract class Commit<R> {
    private final String id;
    private final List<R> rows;
    private final int bytes;
    private final boolean isApart;
    /** The position of its last row once it was sent; 0 before. */
    long last;
    /** A batch with this commit was refused because of one row: the commit is sent in a batch of its own. */
    boolean isSuspect;

    /**
     * @param id of the entity
     * @param rows none only to learn whether the log has this home
     * @param bytes of all rows, about
     */
    protected Commit(String id, List<R> rows, int bytes) {
        this(id, rows, bytes, false);
    }

    /**
     * The same.
     *
     * @param isApart whether a batch may have no other such commit of its entity: it changes reminders, and a statement
     *     may touch each of them once
     */
    protected Commit(String id, List<R> rows, int bytes, boolean isApart) {
        this.id = id;
        this.rows = List.copyOf(rows);
        this.bytes = bytes;
        this.isApart = isApart;
    }

    public final String id() {
        return id;
    }

    public final List<R> rows() {
        return rows;
    }

    final int bytes() {
        return bytes;
    }

    final boolean isApart() {
        return isApart;
    }

    /** The rows are stored. Called once, unless {@link #failed} is. */
    protected abstract void stored();

    /**
     * The rows are not stored or, with {@link FailureCode#OUTCOME_UNKNOWN}, may be. The entity reads its state again
     * before it decides on another command.
     */
    protected abstract void failed(FailureCode code, String reason);
}
