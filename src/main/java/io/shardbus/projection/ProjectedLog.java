package io.shardbus.projection;

/** A worker's progress and failures in one log. Used on one event loop. */
final class ProjectedLog {
    private static final long FIRST_PAUSE_MS = 100;
    private static final long LONGEST_PAUSE_MS = 30_000;

    private long position;
    private int failures;
    /** The failures of the handler, without those of its store. */
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

    /** Failures since the last batch that was handled. */
    int failures() {
        return failures;
    }

    /**
     * True once: if events before this position are missing that the projection would have read. A projection that has
     * read nothing of the log may have started after they were deleted.
     */
    boolean isFirstGapBefore(long first) {
        boolean isGap = position > 0 && first != position + 1 && !isGapTold;
        isGapTold |= isGap;
        return isGap;
    }

    /** Failures of the handler since the last batch that was handled, without those of its store. */
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
     * The handler is asked again after a pause, each twice as long as the last.
     *
     * @param last position up to which the handler then gets one event at a time
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
     * Number of rows of the next batch: 1 after a failure, so that the event that fails is known, and the events before
     * it are handled at most once more.
     */
    int batch(int most) {
        return failures == 0 && position >= failedThrough ? most : 1;
    }
}
