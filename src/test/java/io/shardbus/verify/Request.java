package io.shardbus.verify;

import io.shardbus.history.Exchange;

/**
 * A request that was sent and of which nothing is known yet.
 *
 * @param sender a client and the node it sends to
 * @param number its place among the sender's requests
 * @param sent in nanoseconds of this JVM
 */
record Request(String sender, String id, long amount, long number, long sent) {
    Exchange answered(long answered, Exchange.State state) {
        return new Exchange(sender, id, amount, number, sent, answered, state, null);
    }

    /** The node could not be reached. */
    Exchange notSent(long failed, String reason) {
        return new Exchange(sender, id, amount, number, sent, failed, null, new Exchange.Failure(true, reason));
    }

    /** The node says that it failed: it comes before what is sent later, or never. */
    Exchange refused(long failed, String reason) {
        return new Exchange(sender, id, amount, number, sent, failed, null, new Exchange.Failure(false, reason));
    }

    /** Nothing came back. It may wait in a connection that is read after others, so it has no place in an order. */
    Exchange silent(long failed, String reason) {
        return new Exchange(sender, id, amount, 0, sent, failed, null, new Exchange.Failure(false, reason));
    }
}
