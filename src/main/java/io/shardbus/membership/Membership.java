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
     * Publishes this node's attributes and tells the listener of every change from now on. Called once. Does not block;
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
     * If all missing members have said goodbye, this side goes on, however few are left.
     */
    default void saidGoodbye(NodeId member) {}

    /**
     * This side goes on without these nodes, which may be alive elsewhere, though it has no majority: the split-brain
     * strategy knows that no other side goes on. The first member of this side makes the caches available. A lost node
     * counts again when it is back. Any thread, never blocks.
     */
    default void goOnWithout(Set<NodeId> lost) {}

    /**
     * This side, though it has the majority, has stopped in favour of the lost nodes: its first member makes the caches
     * unavailable, so that the writes of the lost nodes count when both sides meet. Any thread, never blocks.
     */
    default void yieldTo(Set<NodeId> lost) {}

    /**
     * The caches have become available to this side, which has stopped in favour of the lost nodes: each node that
     * calls this makes them unavailable again. Any thread, never blocks.
     */
    default void giveUpCaches(Set<NodeId> lost) {}

    /**
     * This side had stopped and takes part again: it no longer keeps the caches unavailable for another side. Any
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
     * The seats that a process may hold. For each other seat this call has proven that no process holds it. Does not
     * block; completes on any thread.
     */
    default Future<Set<String>> occupiedSeats() {
        return Future.succeededFuture(Set.of());
    }

    /**
     * Whether the occupied seats show every living process of the cluster: a process without one of them has ended.
     * Known once {@link #occupiedSeats} has completed.
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

    /**
     * User code of this node runs on after the node has left: the node's seat is not free before {@code ended}
     * completes.
     */
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

        /** The process of a node that is no longer a member has ended: another member has its address. */
        default void provenDead(NodeId lost) {}
    }
}
