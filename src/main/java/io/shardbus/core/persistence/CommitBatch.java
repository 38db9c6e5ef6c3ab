package io.shardbus.core.persistence;

import java.util.List;

/** Commits of several logs that are sent together. */
public record CommitBatch<R>(List<Part<R>> parts) {
    /**
     * The commits of one log.
     *
     * @param log the store's number of the log
     * @param opening in which they are written
     * @param end the position before the first row of these
     */
    public record Part<R>(LogKey key, int log, long opening, long end, List<Commit<R>> commits) {}

    public CommitBatch {
        parts = List.copyOf(parts);
    }
}
