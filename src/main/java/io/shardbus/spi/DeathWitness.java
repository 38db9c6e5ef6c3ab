package io.shardbus.spi;

import io.shardbus.model.NodeId;
import io.vertx.core.Future;

/**
 * Proves that the process of a node that vanished is gone, so that its shards are free at once instead of after its
 * lease. Not to know is always a right answer; to call a node dead that runs breaks the promise of one live instance.
 *
 * <p>Called on a thread of its own, one call after the other; what it throws is "unknown". While it blocks it is asked
 * nothing else. Futures complete on any thread and end by themselves within a second or so.
 */
public interface DeathWitness {
    /** Answer of a witness about a node that left the view. */
    enum Verdict {
        /** The process of this very life of the node has ended, and no thread of it runs any more. */
        DEAD,
        /** Anything else. The node is asked about again for as long as it matters. */
        UNKNOWN
    }

    /**
     * A node as its cluster knew it while it was a member.
     *
     * @param id the node in this life: a process that is started again has another id
     * @param busHost the host of its event bus, as it was published
     * @param busPort the port of its event bus
     */
    record Suspect(NodeId id, String busHost, int busPort) {}

    /**
     * The node is a member, and this is where it is: a witness may look at it while it lives. May be told more than
     * once.
     */
    default void met(Suspect member) {}

    /** The node vanished from the view without goodbye. A failed future is {@link Verdict#UNKNOWN}. */
    Future<Verdict> ask(Suspect vanished);

    /** Nothing more will be asked about the node. */
    default void forget(NodeId node) {}
}
