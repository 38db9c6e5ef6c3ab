package io.shardbus.core.coordinator;

import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.model.NodeId;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Event for a coordinator. */
public sealed interface CoordinatorEvent {
    void accept(Visitor visitor);

    /** One method for each event. */
    interface Visitor {
        void received(Received event);

        void confirmed(Confirmed event);

        void viewChanged(ViewChanged event);

        void nodeProvenDead(NodeProvenDead event);

        void nodeLeft(NodeLeft event);

        void lossUndecided(LossUndecided event);

        void predecessorAbdicated(PredecessorAbdicated event);

        void ticked(Ticked event);

        void shardPlaced(ShardPlaced event);

        void movesChosen(MovesChosen event);

        void rememberedShardsRead(RememberedShardsRead event);

        void rebalanceRequested(RebalanceRequested event);

        void drainRequested(DrainRequested event);

        void undrainRequested(UndrainRequested event);

        void shutdownPrepared(ShutdownPrepared event);

        void ordered(Ordered event);

        void ordersAwaited(OrdersAwaited event);

        void settingsChanged(SettingsChanged event);
    }

    /** A region's message of this term. */
    record Received(NodeId from, ToCoordinator message) implements CoordinatorEvent {
        @Override
        public void accept(Visitor visitor) {
            visitor.received(this);
        }
    }

    /** The term was confirmed by a write that was sent at this moment. */
    record Confirmed(long sentAt) implements CoordinatorEvent {
        @Override
        public void accept(Visitor visitor) {
            visitor.confirmed(this);
        }
    }

    /** The members of this node's view. */
    record ViewChanged(Set<NodeId> members) implements CoordinatorEvent {
        @Override
        public void accept(Visitor visitor) {
            visitor.viewChanged(this);
        }
    }

    /** The process of a node that vanished from the view is gone: its shards need not wait for the end of its lease. */
    record NodeProvenDead(NodeId node) implements CoordinatorEvent {
        @Override
        public void accept(Visitor visitor) {
            visitor.nodeProvenDead(this);
        }
    }

    /**
     * A node has said that it leaves and that all its regions have ended: it holds no lease of any term.
     *
     * @param heardAt when it was heard, in milliseconds of elapsed time; perhaps before this reign
     */
    record NodeLeft(NodeId node, long heardAt) implements CoordinatorEvent {
        @Override
        public void accept(Visitor visitor) {
            visitor.nodeLeft(this);
        }
    }

    /** Members are lost without goodbye, and whether this side goes on is not decided; or it is. */
    record LossUndecided(boolean undecided) implements CoordinatorEvent {
        @Override
        public void accept(Visitor visitor) {
            visitor.lossUndecided(this);
        }
    }

    /**
     * Only regions on these nodes may hold leases of terms before: an abdicated predecessor said so, or its record
     * does.
     *
     * @param earlierUntil when leases of terms before the predecessor's have run out, which others may hold as well;
     *     see {@link EndedReign}
     */
    record PredecessorAbdicated(Set<NodeId> sessions, long earlierUntil) implements CoordinatorEvent {
        public PredecessorAbdicated(Set<NodeId> sessions) {
            this(sessions, EndedReign.NOTHING_EARLIER);
        }

        public PredecessorAbdicated(EndedReign ended) {
            this(ended.holders(), ended.earlierUntil());
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.predecessorAbdicated(this);
        }
    }

    /** Time passed. */
    record Ticked() implements CoordinatorEvent {
        @Override
        public void accept(Visitor visitor) {
            visitor.ticked(this);
        }
    }

    /** The strategy's answer to PlaceShard; null when it has none. */
    record ShardPlaced(int shard, @Nullable NodeId home) implements CoordinatorEvent {
        @Override
        public void accept(Visitor visitor) {
            visitor.shardPlaced(this);
        }
    }

    /**
     * The strategy's answer to ChooseMoves.
     *
     * @param most how many of them move at most, those with the lowest numbers
     */
    record MovesChosen(Set<Integer> shards, int most) implements CoordinatorEvent {
        public MovesChosen(Set<Integer> shards) {
            this(shards, Integer.MAX_VALUE);
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.movesChosen(this);
        }
    }

    /** The store's answer to ReadRememberedShards; null when it gave none. */
    record RememberedShardsRead(@Nullable Set<Integer> shards) implements CoordinatorEvent {
        @Override
        public void accept(Visitor visitor) {
            visitor.rememberedShardsRead(this);
        }
    }

    /**
     * An operator wants the shards evened out now.
     *
     * @param most how many move in this round at most
     */
    record RebalanceRequested(int most) implements CoordinatorEvent {
        public RebalanceRequested() {
            this(Integer.MAX_VALUE);
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.rebalanceRequested(this);
        }
    }

    /** An operator wants a node without shards, whether its region has registered or not. */
    record DrainRequested(NodeId node) implements CoordinatorEvent {
        @Override
        public void accept(Visitor visitor) {
            visitor.drainRequested(this);
        }
    }

    /** An operator takes a drain back; without effect if there is none. */
    record UndrainRequested(NodeId node) implements CoordinatorEvent {
        @Override
        public void accept(Visitor visitor) {
            visitor.undrainRequested(this);
        }
    }

    /** The whole cluster will stop, and nothing moves any more; or that is taken back. */
    record ShutdownPrepared(boolean stops) implements CoordinatorEvent {
        @Override
        public void accept(Visitor visitor) {
            visitor.shutdownPrepared(this);
        }
    }

    /**
     * The coordinator's node has started the type: the settings, and the store of remembered ids, are those of its
     * definition now. Times of leases stay as they were.
     */
    record SettingsChanged(CoordinatorSettings settings) implements CoordinatorEvent {
        @Override
        public void accept(Visitor visitor) {
            visitor.settingsChanged(this);
        }
    }

    /** An operator's order, which the coordinator does not refuse; its type is this one, or none. */
    record Ordered(OperatorOrder order) implements CoordinatorEvent {
        @Override
        public void accept(Visitor visitor) {
            visitor.ordered(this);
        }
    }

    /**
     * The standing orders of operators are being read from the record: no shard gets a home, and none moves by itself,
     * until they are known.
     */
    record OrdersAwaited(boolean awaited) implements CoordinatorEvent {
        @Override
        public void accept(Visitor visitor) {
            visitor.ordersAwaited(this);
        }
    }
}
