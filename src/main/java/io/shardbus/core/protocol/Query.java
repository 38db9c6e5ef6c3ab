package io.shardbus.core.protocol;

import io.shardbus.model.MovePlan;
import io.shardbus.model.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * A question of one node to another. Those that name a type alone, or a shard's home, are put to the coordinator; the
 * others to the node that they are about.
 *
 * @param <A> what answers it
 */
public sealed interface Query<A extends QueryAnswer> {
    /** One about a type on the node asked, or about all of it on its coordinator. */
    sealed interface OfType<A extends QueryAnswer> extends Query<A> {
        String type();
    }

    /** One that only the home of a shard can answer. */
    sealed interface OfHome<A extends QueryAnswer.FromHome> extends OfType<A> {
        int shard();
    }

    /** Query: the homes of all shards of a type. */
    record TableOf(String type) implements OfType<QueryAnswer.Table> {}

    /** Query: the home of one shard. */
    record HomeOf(String type, int shard) implements OfType<QueryAnswer.Home> {}

    /** Query: can shards of the type get homes? */
    record IsOpen(String type) implements OfType<QueryAnswer.Open> {}

    /**
     * Order: even out the shards of the type now.
     *
     * @param most how many shards move in this round at most, 1 or more
     */
    record Rebalance(String type, int most) implements OfType<QueryAnswer.Handoffs> {
        public Rebalance {
            if (most < 1) {
                throw new IllegalArgumentException("a rebalance of " + most + " shards");
            }
        }

        public Rebalance(String type) {
            this(type, Integer.MAX_VALUE);
        }

        public boolean isLimited() {
            return most < Integer.MAX_VALUE;
        }
    }

    /** Order: move all shards off a node, and give it no new ones. */
    record Drain(NodeId node) implements Query<QueryAnswer.Handoffs> {}

    /** Order: the node may have shards again. */
    record Undrain(NodeId node) implements Query<QueryAnswer.Handoffs> {}

    /** Query: the nodes that are drained. */
    record Drained() implements Query<QueryAnswer.Nodes> {}

    /**
     * Order: the whole cluster is about to stop.
     *
     * @param stops false when it goes on after all
     * @param by the node on which it was announced; null for a node of an earlier build
     * @param number orders announcements of all nodes: one that arrives after a later one is forgotten
     */
    record PrepareForShutdown(boolean stops, @Nullable NodeId by, long number) implements Query<QueryAnswer.Announced> {
        /** As a node of an earlier build says it. */
        public PrepareForShutdown(boolean stops) {
            this(stops, null, 0);
        }
    }

    /**
     * A new region greets the lanes of another node.
     *
     * @param node the node that greets
     * @param lanes how many lanes of it listen; 0 when they have spoken themselves
     */
    record Greet(String type, NodeId node, int lanes) implements OfType<QueryAnswer.Lanes> {}

    /** Query: the shards that a region hosts, and its counters. */
    record RegionOf(String type) implements OfType<QueryAnswer.Region> {}

    /** The ids of the live entities of a shard. */
    record IdsOf(String type, int shard) implements OfHome<QueryAnswer.Ids> {}

    /** Query: is an entity live? */
    record IsLive(String type, int shard, String entityId) implements OfHome<QueryAnswer.Live> {}

    /** Query: the report of an entity. */
    record EntityOf(String type, int shard, String entityId) implements OfHome<QueryAnswer.Found> {}

    /** Query: the state of an entity, as its code shows it. */
    record StateOf(String type, int shard, String entityId) implements OfHome<QueryAnswer.State> {}

    /** Order: something is to be done to an entity. */
    record Treat(String type, int shard, String entityId, EntityOrder order) implements OfHome<QueryAnswer.Treated> {}

    /** Order: what is stored of an entity is to end. */
    record Erase(String type, int shard, String entityId) implements OfHome<QueryAnswer.Erased> {}

    /**
     * Query: the recorded events of a node.
     *
     * @param after the number of the last event that the reader has
     * @param limit how many events at most
     */
    record EventsOf(long after, int limit) implements Query<QueryAnswer.Events> {}

    /** All types that the coordinator knows, with their tables and moves. */
    record Overview() implements Query<QueryAnswer.Types> {}

    /** Query: the status of a node and its regions. */
    record StatusOf() implements Query<QueryAnswer.Status> {}

    /** Query: the durations of asks and messages on a node. */
    record LatencyOf() implements Query<QueryAnswer.Latency> {}

    /** Query: the connections of a node's lanes with those of other nodes. */
    record ConnectionsOf() implements Query<QueryAnswer.Connections> {}

    /** Query: the last dead letters of a node. */
    record DeadLettersOf() implements Query<QueryAnswer.DeadLetters> {}

    /** Query: the last waits for homes that a node's senders had. */
    record SilencesOf() implements Query<QueryAnswer.Silences> {}

    /** An order of an operator to the coordinator. */
    record Order(OperatorOrder order) implements Query<QueryAnswer.Ordered> {}

    /**
     * Query: the moves that an action would cause.
     *
     * @param node the node that the action is about; null if it is about none
     */
    record PlanOf(
            String type, MovePlan.Action action, @Nullable NodeId node) implements OfType<QueryAnswer.Plan> {}

    /** Query: the reasons for a shard's present home. */
    record WhyOf(String type, int shard) implements OfType<QueryAnswer.Why> {}

    /** One of a later build that this one does not know. */
    record Unknown(String kind) implements Query<QueryAnswer.Done> {}
}
