package io.shardbus.verify;

import org.jspecify.annotations.Nullable;

/**
 * One request to a counter and what came of it.
 *
 * @param sender who sent it, and through which node: an order is promised for each pair
 * @param amount what was added, at least 1; 0 for a question
 * @param sent when it was sent, in nanoseconds of this JVM
 * @param answered when the answer, or the failure, was there
 * @param state null when it failed
 * @param failure null when it was answered
 */
public record Exchange(
        String sender,
        String id,
        long amount,
        long sent,
        long answered,
        @Nullable State state,
        @Nullable Failure failure) {

    /** What the answer says. */
    public record State(long value, String incarnation, long term, long sequence) {}

    /** How much is known of a request that failed. */
    public enum Loss {
        /** The node's address was not listened on, or could not be reached: nothing was sent. */
        NOT_SENT,
        /** The node answered that it failed. */
        REPLIED,
        /** Nothing came back. */
        SILENT
    }

    /** Why there is no answer. */
    public record Failure(Loss loss, String reason) {
        public boolean refused() {
            return loss == Loss.NOT_SENT;
        }
    }

    public static Exchange answered(Request request, long answered, State state) {
        return new Exchange(request.sender, request.id, request.amount, request.sent, answered, state, null);
    }

    public static Exchange failed(Request request, long answered, Loss loss, String reason) {
        var failure = new Failure(loss, reason);
        return new Exchange(request.sender, request.id, request.amount, request.sent, answered, null, failure);
    }

    /** A request that was sent and of which nothing is known yet. */
    public record Request(String sender, String id, long amount, long sent) {}

    public boolean isAnswered() {
        return state != null;
    }

    /** Whether it may have been executed although it failed. */
    boolean isDoubtful() {
        return failure != null && !failure.refused() && amount != 0;
    }
}
