package io.shardbus.persistence.spi;

/**
 * Limits of the commits and recoveries of one lane and type in a store.
 *
 * @param patienceMs for how long commands wait for a store that does not answer, in milliseconds; after that they fail,
 *     and the node is not ready until the store answers. 100 to 600,000
 * @param commitsInFlight batches of commits that may be under way. 1 to 16
 * @param commitQueueBytes limit of the bytes of all commits that wait or are under way; beyond it commands fail with
 *     {@link io.shardbus.model.FailureCode#STORE_UNAVAILABLE}, and from half of it on an entity decides on one command
 *     at a time. 1 MiB to 1 GiB
 * @param recoveriesInFlight reads of up to 64 entities that may be under way. 1 to 64
 */
public record StoreLimits(long patienceMs, int commitsInFlight, long commitQueueBytes, int recoveriesInFlight) {
    /** 10 s of patience, 2 batches, 16 MiB, 4 reads. */
    public static final StoreLimits DEFAULT = new StoreLimits(10_000, 2, 16 << 20, 4);

    public static final int MOST_COMMITS = 16;
    public static final long LEAST_QUEUE_BYTES = 1 << 20;
    public static final long MOST_QUEUE_BYTES = 1 << 30;
    public static final int MOST_RECOVERIES = 64;

    /** @throws IllegalArgumentException naming the limit, its value and its range */
    public StoreLimits {
        requireIn("patienceMs", patienceMs, 100, 600_000);
        requireIn("commitsInFlight", commitsInFlight, 1, MOST_COMMITS);
        requireIn("commitQueueBytes", commitQueueBytes, LEAST_QUEUE_BYTES, MOST_QUEUE_BYTES);
        requireIn("recoveriesInFlight", recoveriesInFlight, 1, MOST_RECOVERIES);
    }

    private static void requireIn(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    "limit '" + name + "' = " + value + ": must be a whole number in " + min + ".." + max);
        }
    }

    /** The same with another patience. */
    public StoreLimits withPatience(long millis) {
        return new StoreLimits(millis, commitsInFlight, commitQueueBytes, recoveriesInFlight);
    }
}
