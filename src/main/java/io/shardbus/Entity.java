package io.shardbus;

import io.shardbus.model.FailureCode;
import io.shardbus.model.StopReason;
import io.vertx.core.Future;

/**
 * A stateful object with an id. At most one instance per id is live in the cluster. It gets one message at a time: the
 * next message waits until the future of the last one has completed. All methods are called on the shard's event loop,
 * or on a worker or virtual thread if the definition says so. Calls are ordered: each sees the writes of the call
 * before it.
 *
 * <p>An instance starts, and gets a message, only under a valid lease: the region compares the clock with the end of
 * the lease right before. Code that is already running then is not interrupted. If its process is frozen, or its future
 * completes late, such code may still run when another instance has started on another node. Its answer does not count:
 * an ask whose answer is ready after the lease has ended fails with {@link FailureCode#OUTCOME_UNKNOWN}. Its writes to
 * a store are harmless if the store refuses {@linkplain EntityContext#token() fencing tokens} lower than one that it
 * has seen. {@link #stopping} is called without a lease, too; with {@link StopReason#LEASE_LOST} another instance may
 * be live.
 *
 * @param <M> its messages
 */
@FunctionalInterface
public interface Entity<M> {
    /**
     * Takes one message. The result of the future answers an ask. A failed future fails the ask and nothing else; a
     * thrown exception fails the ask and applies the restart policy, unless it is an {@link EntityFailure}.
     *
     * @return completes when the entity is ready for the next message; null means now, without an answer
     */
    Future<?> receive(M message, EntityContext<M> context);

    /**
     * Prepares the instance. Messages wait until the future completes; null means now. If the future fails, or the
     * method throws, the restart policy applies.
     */
    default Future<?> started(EntityContext<M> context) {
        return done();
    }

    /**
     * Ends the instance, which gets no further message. When the stop timeout has passed, the instance is stopped by
     * force, even if the future has not completed. Not called for an instance whose own code failed.
     */
    default Future<?> stopping(StopReason reason) {
        return done();
    }

    /** No answer, ready for the next message. */
    default Future<?> done() {
        return Future.succeededFuture();
    }

    /** This answer, ready for the next message; {@link EntityContext#reply} is the same, checked by the compiler. */
    default <R> Future<R> reply(R answer) {
        return Future.succeededFuture(answer);
    }
}
