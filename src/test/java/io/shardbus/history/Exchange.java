package io.shardbus.history;

import org.jspecify.annotations.Nullable;

/**
 * One request to a counter and what came of it.
 *
 * @param sender who sent it: a node, a client, an entity
 * @param amount what was added, at least 1; 0 for a question
 * @param number its place among the sender's requests to this counter, if the sender's requests are to be executed in
 *     their order; 0 if they are not
 * @param sent when it was sent; all moments are of one clock
 * @param answered when the answer, or the failure, was there
 * @param state null when it failed
 * @param failure null when it was answered
 */
public record Exchange(
        String sender,
        String id,
        long amount,
        long number,
        long sent,
        long answered,
        @Nullable State state,
        @Nullable Failure failure) {

    /** What the answer says. */
    public record State(long value, String incarnation, long term, long sequence) {}

    /**
     * Why there is no answer.
     *
     * @param refused whether it is certain that nothing was executed
     */
    public record Failure(boolean refused, String reason) {}

    public boolean isAnswered() {
        return state != null;
    }

    /** Whether it may have been executed although it failed. */
    boolean isDoubtful() {
        return failure != null && !failure.refused() && amount != 0;
    }
}
