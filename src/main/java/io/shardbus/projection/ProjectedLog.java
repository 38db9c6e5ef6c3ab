package io.shardbus.projection;

/** A worker's progress and failures in one log. Used on one event loop. */
final class ProjectedLog {
    private static final long FIRST_PAUSE_MS = 100;
    private static final long LONGEST_PAUSE_MS = 30_000;

    private long position;
    private int failures;
    /** Failures since the last handled batch that were no StoreException. */
    private int attempts;
    /** The end of the last batch that failed. */
    private long failedThrough;

    private long quietUntil;
    private boolean isGapTold;

    ProjectedLog(long position) {
        this.position = position;
    }

    long position() {
        return position;
    }

    /** Number of failures since the last handled batch. */
    int failures() {
        return failures;
    }

    /**
     * True once: if events before this position are missing that the projection has not read. For a projection that has
     * read nothing of the log they do not count as missing: it may have started after they were deleted.
     */
    boolean isFirstGapBefore(long first) {
        boolean isGap = position > 0 && first != position + 1 && !isGapTold;
        isGapTold |= isGap;
        return isGap;
    }

    /** Number of failures since the last handled batch that were no StoreException. */
    int attempts() {
        return attempts;
    }

    void movedTo(long after) {
        position = after;
        failures = 0;
        attempts = 0;
        quietUntil = 0;
    }

    /**
     * Notes a failure: the next batch begins after a pause of 100 ms, doubled with each failure, up to 30 s.
     *
     * @param last position up to which the handler then gets one row at a time
     */
    void failed(long nowMs, long last, boolean isOfStore) {
        failures++;
        attempts += isOfStore ? 0 : 1;
        failedThrough = Math.max(failedThrough, last);
        quietUntil = nowMs + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS << Math.min(failures - 1, 10));
    }

    boolean isReady(long nowMs) {
        return nowMs >= quietUntil;
    }

    /**
     * Limit of the rows of the next batch. After a failure it is 1 up to the end of the failed batch: so the row that
     * fails is known, and the rows before it are handled at most once more.
     */
    int batch(int most) {
        return failures == 0 && position >= failedThrough ? most : 1;
    }
}
