package io.shardbus.spi;

import io.shardbus.model.NodeId;
import io.vertx.core.Future;

/**
 * Proves that the process of a vanished node is gone, so that its shards are free at once instead of at the end of its
 * lease. {@link Verdict#UNKNOWN} is always safe. {@link Verdict#DEAD} for a node that still runs breaks the promise of
 * one live instance per entity.
 *
 * <p>Called on a thread of its own, one call after the other; an exception counts as {@link Verdict#UNKNOWN}. While a
 * call blocks, no other call is made. Futures complete on any thread, and must complete by themselves within about a
 * second.
 */
public interface DeathWitness {
    /** Answer of a witness about a node that left the view. */
    enum Verdict {
        /** The process of this node id has ended, and no thread of it runs any more. */
        DEAD,
        /** Anything else. The witness is asked about the node again, for as long as it matters. */
        UNKNOWN
    }

    /**
     * A node as its cluster knew it while it was a member.
     *
     * @param id the node; a process that is started again has another id
     * @param busHost the host of its event bus, as it was published
     * @param busPort the port of its event bus
     */
    record Suspect(NodeId id, String busHost, int busPort) {}

    /**
     * Tells the witness that a node is a member, with its addresses, so that it may look at the node while that lives.
     * May be called more than once for a node.
     */
    default void met(Suspect member) {}

    /**
     * Asks about a node that vanished from the view without goodbye. A failed future counts as {@link Verdict#UNKNOWN}.
     */
    Future<Verdict> ask(Suspect vanished);

    /** Tells the witness that it will not be asked about the node again. */
    default void forget(NodeId node) {}
}
