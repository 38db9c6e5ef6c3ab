package io.shardbus;

import io.shardbus.model.ClusterOverview;
import io.shardbus.model.ConnectionReport;
import io.shardbus.model.EntityReport;
import io.shardbus.model.EventPage;
import io.shardbus.model.LatencyReport;
import io.shardbus.model.MovePlan;
import io.shardbus.model.NodeId;
import io.shardbus.model.ShardReasons;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Operator API of the cluster: status, events and plans, and orders such as drain, cordon and move. Reached by {@link
 * ClusterSharding#operations}; the admin resources are made of it. May be used from any thread; futures complete on the
 * caller's Vert.x context if there is one.
 */
public interface ClusterOperations {
    /**
     * The events of all nodes after a cursor. Each node keeps its last 2,000 in memory, until its process ends.
     *
     * @param cursor of the page before; empty for all that there are
     * @param limit how many events at most, 1 to 5,000
     * @throws IllegalArgumentException for a cursor that is none, or another limit
     */
    Future<EventPage> events(String cursor, int limit);

    /**
     * Records an operator's action on this node.
     *
     * @param action a word such as {@code drain}
     * @param user who did it, if that is known
     * @param subject what it was done to: a node, a type, a type and a shard with a slash between them
     * @param details what was asked for, by name: texts, numbers and booleans, and no secrets
     */
    void recordAction(String action, @Nullable String user, String subject, Map<String, Object> details);

    /**
     * All types that the coordinator knows, with their moves, and how the nodes are doing: one query to the coordinator
     * and one to each member. Fails with {@link io.shardbus.model.FailureCode#NOT_IN_MAJORITY} where no coordinator
     * answers in time; members that do not answer are listed.
     */
    Future<ClusterOverview> overview();

    /**
     * Durations of asks, handling and waiting in the last minute, quarter of an hour and hour, by type and class of
     * messages, with the slowest asks: one query to each member. Members that do not answer are listed; those of an
     * earlier build say nothing.
     */
    Future<LatencyReport> latency();

    /**
     * Connections between the lanes of the nodes, and their traffic: one query to each member. Members that do not
     * answer are listed; those of an earlier build say nothing.
     */
    Future<ConnectionReport> connections();

    /**
     * Gives a node no more shards, which keeps what it has; or takes that back. It holds until then, under coordinators
     * that come later, too, while the node is there. Fails with
     * {@link io.shardbus.model.FailureCode#UNKNOWN_NODE} for a node that is no member, to take it back for one that is
     * none and of which no order stands; as all orders do, with
     * NOT_IN_MAJORITY where no coordinator answers in time, with OUTCOME_UNKNOWN where it may be written or not, and
     * with NOT_APPLICABLE while 1,000 orders stand.
     */
    Future<Void> cordon(NodeId node, boolean wanted);

    /**
     * Stops rounds of rebalancing, or lets them begin by themselves again; {@link ClusterSharding#rebalance} and drains
     * move shards in any case. It holds under coordinators that come later, too, until the whole cluster stops.
     *
     * @param type a type, or empty for all
     */
    Future<Void> setRebalancing(String type, boolean enabled);

    /**
     * Moves one shard; completes when it is to leave in its turn, which events and moves tell. It stays where its
     * entities are busy for too long. Fails with {@link io.shardbus.model.FailureCode#NOT_APPLICABLE} where it cannot
     * move, saying why; as all methods about a shard do, with UNKNOWN_TYPE for a type of which no region has registered
     * with the coordinator, and with {@link io.shardbus.model.FailureCode#UNKNOWN_SHARD}.
     *
     * @param to null for any node but the present one
     */
    Future<Void> move(String type, int shard, @Nullable NodeId to);

    /**
     * Moves one shard to a node and keeps it there while that node takes shards, also under coordinators that come
     * later. Fails as {@link #cordon} and {@link #move} do.
     */
    Future<Void> pin(String type, int shard, NodeId node);

    /** Takes a pin back; the shard stays. Fails with NOT_APPLICABLE where it is not pinned. */
    Future<Void> unpin(String type, int shard);

    /**
     * Plans an action: the moves that it would cause, if it began at this moment.
     *
     * <p>Fails with UNKNOWN_TYPE, and with UNKNOWN_NODE for a node that is no member.
     *
     * @param node of a drain or a leave; null for the others
     */
    Future<MovePlan> plan(String type, MovePlan.Action action, @Nullable NodeId node);

    /** Explains the present home of a shard. Fails as {@link #move} does for one that is not there. */
    Future<ShardReasons> why(String type, int shard);

    /**
     * Report of an entity at this moment, by a query to its home, which starts none; empty where its shard has no home.
     * The type must have been started on this node, also for the other methods about entities. Fails with INCOMPATIBLE
     * where the home runs a build that cannot say it.
     */
    Future<Optional<EntityReport>> entity(String type, String entityId);

    /**
     * State of a live instance, as its class shows it, if that is {@link io.shardbus.spi.Inspectable}. Fails with
     * NOT_APPLICABLE if it is not, or no instance is live; with TIMED_OUT if it does not come to its turn in a second;
     * with ENTITY_FAILED if its code throws.
     */
    Future<JsonObject> inspect(String type, String entityId);

    /**
     * Puts an entity away once what waits for it is handled; the next message starts another instance. A remembered
     * entity is forgotten with that, as when it passivates itself. Fails with NOT_APPLICABLE where no instance is live,
     * as the next two methods do, saying why.
     */
    Future<Void> passivate(String type, String entityId);

    /**
     * Ends an entity's instance once the message in hand is handled, by force after the stop timeout, and starts
     * another one, which gets what waits. Ends a pause after a failure.
     */
    Future<Void> restart(String type, String entityId);

    /**
     * Fails what waits for a remembered entity, ends its instance as {@link #restart} does, and starts none until a
     * message comes. Fails with NOT_APPLICABLE where it is not remembered.
     */
    Future<Void> forget(String type, String entityId);

    /**
     * Ends what a persistent entity has stored, also what its code can no longer read: stores that there is no state,
     * drops snapshots, events and reminders, and passivates the instance. Commands before it take effect first; a later
     * command starts from the empty state. Sequence numbers go on, and projections see the deletion. The ids of
     * commands that were executed stay, so that a repetition takes no effect; their answers do not. Events that a
     * projection with offsets in the same store has yet to read stay until the entity next starts, or is erased again.
     * Its id stays in the store, and where entities are remembered it is remembered still: see {@link #forget}.
     *
     * <p>Succeeds when the store has confirmed it, also where nothing was stored. Fails with NOT_APPLICABLE for a type
     * that stores nothing, and where the shard moves at this moment; with INCOMPATIBLE where the home runs an earlier
     * build; with TIMED_OUT, OUTCOME_UNKNOWN or STORE_UNAVAILABLE where the outcome is not known: erase it again then.
     */
    Future<Void> erase(String type, String entityId);
}
