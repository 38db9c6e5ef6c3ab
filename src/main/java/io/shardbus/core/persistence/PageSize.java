package io.shardbus.core.persistence;

/**
 * Number of rows to read at once. Rows may be so large that an answer with many of them does not come in time, or at
 * all: a read that fails makes the next ones smaller, down to a single row, and full pages make them larger again.
 */
public final class PageSize {
    private static final int SHRINKING = 4;

    private final int most;
    private int rows;

    /** @param most rows at once, at least 1 */
    public PageSize(int most) {
        this.most = most;
        this.rows = most;
    }

    /** Limit of the rows of the next read. */
    public int rows() {
        return rows;
    }

    /** A read has failed. */
    public void failed() {
        rows = Math.max(1, rows / SHRINKING);
    }

    /** A read has given as many rows as it may, so more may fit. */
    public void filled() {
        rows = Math.min(most, 2 * rows);
    }
}
