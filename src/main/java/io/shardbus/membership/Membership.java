package io.shardbus.membership;

import io.shardbus.core.control.Seats;
import io.shardbus.model.LossReason;
import io.shardbus.model.NodeId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Membership of the cluster: its nodes, their published attributes, and whether this side of it may act. */
public interface Membership {
    /**
     * The membership of a Vert.x: of its cluster, or of it alone if it is not clustered.
     *
     * @param own what this node tells the others
     * @throws IllegalStateException if the Vert.x is clustered with another cluster manager
     */
    static Membership of(Vertx vertx, NodeAttributes own) {
        return vertx.isClustered()
                ? new InfinispanMembership(ShardbusClusterManager.of(vertx), own)
                : new LocalMembership(own);
    }

    /** This node. */
    NodeId self();

    /**
     * Publishes this node's attributes and tells the listener of every change from now on. Done once. Does not block;
     * when the future has completed, on any thread, the listener knows the members.
     */
    Future<Void> start(Listener listener);

    /**
     * The members' published attributes: a snapshot, never blocks, any thread. A hint only. A member is missing until
     * its attributes have come; nodes that are not in the view are left out. Empty before the start.
     */
    Map<NodeId, NodeAttributes> attributes();

    /**
     * This member leaves in good order and runs nothing any more: its departure is no split. Any thread, never blocks.
     * If all missing members have said so, this side goes on, however few are left.
     */
    default void saidGoodbye(NodeId member) {}

    /**
     * This side goes on without these nodes, which may be alive elsewhere, though it has no majority: the strategy that
     * decided so knows that no other side does. Its first member makes the caches available. They count again when they
     * are back. Any thread, never blocks.
     */
    default void goOnWithout(Set<NodeId> lost) {}

    /**
     * This side has stopped in favour of these, though it has the majority: its first member makes the caches
     * unavailable, so that what the others write counts when they meet. Any thread, never blocks.
     */
    default void yieldTo(Set<NodeId> lost) {}

    /**
     * The caches have become available to this side, which has stopped in favour of these: they are made unavailable
     * again, by each node that asks for it. Any thread, never blocks.
     */
    default void giveUpCaches(Set<NodeId> lost) {}

    /**
     * This side had stopped and takes part again: it keeps the caches unavailable for no other side any more. Any
     * thread, never blocks.
     */
    default void rejoined() {}

    /**
     * The caches are made available to this side without the missing members: no other side can go on. Any thread,
     * never blocks.
     */
    default void revive() {}

    /** The sign by which this node noticed the loss of a member. Any thread, never blocks. */
    default LossReason lossReason(NodeId lost) {
        return LossReason.SUSPICION;
    }

    /**
     * The members of which this node has heard nothing for two heartbeats or longer, by their names, with the time
     * since then in milliseconds. A dead link between two members may last, as the failure detection removes a member
     * only when the first one misses it, too, or when both ends miss each other. Any thread, never blocks.
     */
    default Map<String, Long> unheard() {
        return Map.of();
    }

    /** The seats of the cluster as this node is configured. */
    default Seats seats() {
        return Seats.ALONE;
    }

    /**
     * The seats that a process may hold; of the others it has been proven since the call that none does. Does not
     * block; completes on any thread.
     */
    default Future<Set<String>> occupiedSeats() {
        return Future.succeededFuture(Set.of());
    }

    /**
     * Whether the seats that are occupied show every process of the cluster that lives: a process that is not among
     * them has ended. Known once {@link #occupiedSeats} has completed.
     */
    default boolean seesEveryProcess() {
        return false;
    }

    /**
     * Whether the others can send to this node: false from a merge until its addresses are published in the caches that
     * both sides share. Any thread, never blocks.
     */
    default boolean isReachable() {
        return true;
    }

    /**
     * The reason why this node hears nothing of its cluster any more, and never will in this process; null as long as
     * it does. Any thread, never blocks.
     */
    default @Nullable String end() {
        return null;
    }

    /** Code of this node goes on after it has left: until it has ended, its seat is not free. */
    default void occupyUntil(Future<?> ended) {}

    /**
     * Ends the stream of events and takes this node's attributes back. The node stays in the cluster until its Vert.x
     * is closed. Does not block; completes on any thread; once it has, no call of the listener begins. Twice is
     * harmless.
     */
    Future<Void> stop();

    /**
     * Listener of membership changes. Called on one arbitrary thread, one event after the other, in the order in
     * which things happened here; what happened in quick succession may come as one event. Must not block and should
     * not throw.
     */
    interface Listener {
        /** Members came or went, the cluster merged, or availability changed. */
        void viewChanged(ClusterView view);

        /**
         * The nodes that have the caches of the cluster, the term record among them: a member that runs no sharding yet
         * has none. Comes before the first view; where it never comes every member has them.
         */
        default void countedChanged(Set<NodeId> counted) {}

        /** A member's attributes came, changed or went; the new snapshot. */
        void attributesChanged(Map<NodeId, NodeAttributes> attributes);

        /** The process of a node that is no member any more is gone: a member has its place. */
        default void provenDead(NodeId lost) {}
    }
}
