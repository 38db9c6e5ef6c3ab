package io.shardbus.membership;

import io.shardbus.core.control.Seats;
import io.shardbus.model.LossReason;
import io.shardbus.model.NodeId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Membership of the cluster: its nodes, their published attributes, and whether this side of a split may act. */
public interface Membership {
    /**
     * The membership of a Vert.x: that of its cluster, or of this node alone if the Vert.x is not clustered.
     *
     * @param own the attributes that this node publishes
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
     * Publishes this node's attributes, and tells the listener of the members and of every change from now on. Called
     * once. Does not block.
     *
     * @return completes on any thread, when the listener has been told of the members; fails if another process of this
     *     host holds this node's seat, or if the membership was started before
     */
    Future<Void> start(Listener listener);

    /**
     * The members' published attributes. A snapshot, and a hint only: a member is missing until its attributes have
     * arrived; nodes that are not in the view are omitted. Empty before the start. Any thread, never blocks.
     */
    Map<NodeId, NodeAttributes> attributes();

    /**
     * A member leaves in good order and runs no entity any more, so its departure is no loss. If all missing members
     * have said goodbye, this side goes on, however few members are left. Any thread, never blocks.
     */
    default void saidGoodbye(NodeId member) {}

    /**
     * This side goes on without these nodes although it has no majority and they may be alive: by the split-brain
     * strategy no other side goes on. The first member of this side makes the caches available. A lost node counts
     * again when it is back. Any thread, never blocks.
     */
    default void goOnWithout(Set<NodeId> lost) {}

    /**
     * This side has stopped in favour of the lost nodes although it has the majority: its first member makes the caches
     * unavailable, so that the writes of the lost nodes are kept when both sides merge. Any thread, never blocks.
     */
    default void yieldTo(Set<NodeId> lost) {}

    /**
     * The caches have become available to this side although it has stopped in favour of the lost nodes: each node that
     * calls this makes them unavailable again. Any thread, never blocks.
     */
    default void giveUpCaches(Set<NodeId> lost) {}

    /**
     * This side had stopped and takes part again: it no longer keeps the caches unavailable in favour of another side.
     * Any thread, never blocks.
     */
    default void rejoined() {}

    /**
     * Makes the caches available to this side without the missing members, as no other side can go on. Any thread,
     * never blocks.
     */
    default void revive() {}

    /** The sign by which this node's failure detection noticed the loss of a member. Any thread, never blocks. */
    default LossReason lossReason(NodeId lost) {
        return LossReason.SUSPICION;
    }

    /**
     * The members from which this node has heard nothing for two heartbeats or longer, by name, with that time in
     * milliseconds. A link between two members may stay dead in one direction: the failure detection removes a member
     * only if the first member of the view does not hear it either, or if both ends do not hear each other. Any thread,
     * never blocks.
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
     * Whether the occupied seats show every living process of the cluster, so that a process without an occupied seat
     * has ended. Known once {@link #occupiedSeats} has completed; any thread, never blocks.
     */
    default boolean seesEveryProcess() {
        return false;
    }

    /**
     * Whether other nodes can send to this node: false from a merge until this node's event-bus address and
     * registrations are published in the merged caches. Any thread, never blocks.
     */
    default boolean isReachable() {
        return true;
    }

    /**
     * The reason why this process no longer gets events of its cluster, and never will again; null while it does. Any
     * thread, never blocks.
     */
    default @Nullable String end() {
        return null;
    }

    /**
     * User code of this node still runs after the node has left: the node's seat stays occupied until {@code ended}
     * completes.
     */
    default void occupyUntil(Future<?> ended) {}

    /**
     * Ends the stream of events and removes this node's attributes. The node stays in the cluster until its Vert.x is
     * closed. Does not block; may be called again.
     *
     * @return completes on any thread; after that no call of the listener begins
     */
    Future<Void> stop();

    /**
     * Listener of membership changes. Called on one thread, one event after the other, in the order of the changes on
     * this node; several changes in quick succession may come as one event. Must not block and should not throw.
     */
    interface Listener {
        /** Members came or went, the cluster merged, or availability changed. */
        void viewChanged(ClusterView view);

        /**
         * The nodes that hold the caches of the cluster, the term record among them, have changed: a member that runs
         * no sharding yet holds none. Called before the first view. If it is never called, every member holds them.
         */
        default void countedChanged(Set<NodeId> counted) {}

        /** A member's attributes were added, changed or removed; the new snapshot. */
        void attributesChanged(Map<NodeId, NodeAttributes> attributes);

        /**
         * The process of a node that is no longer a member has ended, or has dropped its leases before it left, because
         * another member has its address.
         */
        default void provenDead(NodeId lost) {}

        /**
         * The caches of the cluster end in this process though the membership was not stopped: other code has stopped
         * their container. Once the result is complete another process may take this node's address, and prove with it
         * that this node holds no lease any more. May be called on any thread.
         *
         * @return completes, on any thread, when no region of this node has a lease
         */
        default CompletionStage<Void> ended(String reason) {
            return CompletableFuture.completedFuture(null);
        }
    }
}
