package io.shardbus.cluster;

import org.jspecify.annotations.Nullable;

/**
 * One request to a counter and what came of it.
 *
 * @param amount what was added; 0 for a question
 * @param sent when it was sent, in nanoseconds of this JVM
 * @param answered when the answer, or the failure, was there
 * @param state null when it failed
 * @param failure null when it was answered
 */
record Exchange(
        String node,
        String id,
        long amount,
        long sent,
        long answered,
        @Nullable State state,
        @Nullable Failure failure) {

    /** What the answer says. */
    record State(long value, String incarnation, long term, long sequence) {}

    /**
     * Why there is no answer.
     *
     * @param refused whether the node's address was not listened on any more, so that nothing was sent
     */
    record Failure(boolean refused, String reason) {}

    /** Whether it may have been executed although it failed. */
    boolean isDoubtful() {
        return failure != null && !failure.refused() && amount != 0;
    }
}
