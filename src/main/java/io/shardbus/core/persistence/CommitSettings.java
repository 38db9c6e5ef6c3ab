package io.shardbus.core.persistence;

/**
 * Limits and pauses of a lane's commits.
 *
 * @param inFlight batches of a lane that may be under way
 * @param batchRows rows of a batch at most, at least 1
 * @param batchBytes bytes of a batch at most; one larger commit is a batch of its own
 * @param queueBytes bytes of all commits that wait or are under way; above it commits are refused
 * @param patience milliseconds for which commits wait for a store that does not answer
 * @param minPause milliseconds before a call that failed is repeated; doubled each time
 * @param maxPause the longest such pause
 */
public record CommitSettings(
        int inFlight, int batchRows, int batchBytes, long queueBytes, long patience, long minPause, long maxPause) {
    /** Two batches under way, 1,000 rows and 1 MiB each, 16 MiB in all, 10 s of patience, pauses of 50 ms to 2 s. */
    public static final CommitSettings DEFAULT = new CommitSettings(2, 1000, 1 << 20, 16 << 20, 10_000, 50, 2000);

    public CommitSettings with(int batches, long bytes, long millis) {
        return new CommitSettings(batches, batchRows, batchBytes, bytes, millis, Math.min(minPause, millis), maxPause);
    }
}
