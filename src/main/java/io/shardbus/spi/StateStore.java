package io.shardbus.spi;

import io.shardbus.model.TermRecord;
import io.vertx.core.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Store of the term record, which names the coordinator and on which the nodes of a cluster agree. No call to the store
 * is made when a message is sent.
 *
 * <p>Every method may be called on any thread, an event loop included, and does not block. Futures complete on any
 * thread; the caller switches to its own context. Every operation ends within a bounded time. Operations that are in
 * flight together may take effect in any order: a caller that needs an order waits for each before it starts the next.
 */
public interface StateStore {
    /**
     * Makes the store usable; done once, before any other call. It may take as long as joining the cluster's caches
     * takes. A failure means that this node cannot use the store: close it.
     */
    Future<Void> start();

    /**
     * The agreed term record, null if there is none. The answer is never older than the value of a completed {@link
     * #replaceTerm} of any node. So implementations must not answer from a local replica, which may stay different
     * after a write that timed out.
     *
     * <p>Fails if the agreed record cannot be read: this side of a split may not read, the store is slow, or the stored
     * bytes are not a term record of a version that this release knows.
     */
    Future<@Nullable TermRecord> readTerm();

    /**
     * Registers a listener for the records that this node's own replica gets; called once, before {@link #start}. Such
     * a record may never become the agreed one. A store without replicas on the nodes does not call the listener.
     *
     * @param sighted called on any thread; must not block
     */
    default void watchReplica(Consumer<TermRecord> sighted) {}

    /**
     * Writes {@code next} if the agreed record equals {@code expected}, in one atomic step.
     *
     * @param expected the record that is to be replaced; null if there must be none
     * @param next what to write
     * @return true: written; false: the agreed record was another one, nothing is written. After a failure the record
     *     may be written, may be written later, or never: read before you act.
     */
    Future<Boolean> replaceTerm(@Nullable TermRecord expected, TermRecord next);

    /**
     * Frees the resources of the store on this node; the agreed record stays. Later calls fail. Closing twice is
     * harmless.
     */
    Future<Void> close();
}
