package io.shardbus;

import io.shardbus.model.ClusterOverview;
import io.shardbus.model.ConnectionReport;
import io.shardbus.model.DeadLetterReport;
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
 * Operator API of the cluster: status, events and plans, and orders such as drain, cordon and move. {@link
 * ClusterSharding#operations} returns it; the admin resources use it. May be used from any thread; futures complete on
 * the caller's Vert.x context if there is one.
 */
public interface ClusterOperations {
    /**
     * The events of all nodes after a cursor. Each node keeps its last 2,000 in memory, until its process ends.
     *
     * @param cursor of the page before; empty for all events that the nodes have
     * @param limit how many events at most, 1 to 5,000
     * @throws IllegalArgumentException for an invalid cursor, or a limit out of range
     */
    Future<EventPage> events(String cursor, int limit);

    /**
     * Records an operator's action on this node.
     *
     * @param action a word such as {@code drain}
     * @param user the operator, if known
     * @param subject the node, the type, or the type and the shard with a slash between them
     * @param details the parameters of the action by name: texts, numbers and booleans, and no secrets
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
     * messages, with the slowest asks: one query to each member. Members that do not answer are listed; members of an
     * earlier build report no times.
     */
    Future<LatencyReport> latency();

    /**
     * Connections between the lanes of the nodes, and their traffic: one query to each member. Members that do not
     * answer are listed; members of an earlier build report nothing.
     */
    Future<ConnectionReport> connections();

    /**
     * The last dead letters of the nodes, at most 100 of each region and 200 in all, without the messages themselves:
     * one query to each member. A dead letter is a message without an answer that failed. Members that do not answer
     * are listed, and so are members of an earlier build.
     */
    Future<DeadLetterReport> deadLetters();

    /**
     * Cordons a node, which keeps its shards and gets no more, or ends that. A cordon lasts until it is ended or the
     * node leaves; it outlasts the coordinator. Fails with {@link io.shardbus.model.FailureCode#UNKNOWN_NODE} for a
     * node that is not a member; to end a cordon, only if no order about the node is stored either. As all orders do,
     * it fails with NOT_IN_MAJORITY when no coordinator answers in time, with OUTCOME_UNKNOWN when the order may be
     * stored or not, and with NOT_APPLICABLE while 1,000 orders are stored.
     */
    Future<Void> cordon(NodeId node, boolean wanted);

    /**
     * Stops the rounds of rebalancing, or lets them begin by themselves again; {@link ClusterSharding#rebalance} and
     * drains move shards in any case. The setting outlasts the coordinator, and ends when the whole cluster stops.
     *
     * @param type a type, or empty for all
     */
    Future<Void> setRebalancing(String type, boolean enabled);

    /**
     * Moves one shard. Completes when the coordinator has queued the move, before the shard leaves; {@link #events} and
     * the moves of {@link #overview} tell how the move ends. The shard stays if its entities are busy for too long.
     * Fails with {@link io.shardbus.model.FailureCode#NOT_APPLICABLE} and the reason if the shard cannot move. As all
     * methods about a shard do, it fails with UNKNOWN_TYPE for a type of which no region has registered with the
     * coordinator, and with {@link io.shardbus.model.FailureCode#UNKNOWN_SHARD}.
     *
     * @param to null for any node but the present one
     */
    Future<Void> move(String type, int shard, @Nullable NodeId to);

    /**
     * Moves one shard to a node and keeps it there while that node takes shards. Completes when the pin is stored,
     * before the shard moves; a pin outlasts the coordinator. Fails as {@link #cordon} and {@link #move} do.
     */
    Future<Void> pin(String type, int shard, NodeId node);

    /** Ends a pin; the shard stays. Fails with NOT_APPLICABLE if the shard is not pinned. */
    Future<Void> unpin(String type, int shard);

    /**
     * Plans an action: the moves that it would cause, if it began at this moment.
     *
     * <p>Fails with UNKNOWN_TYPE, and with UNKNOWN_NODE for a node that is not a member.
     *
     * @param node of a drain or a leave; null for the others
     */
    Future<MovePlan> plan(String type, MovePlan.Action action, @Nullable NodeId node);

    /** Explains the present home of a shard. Fails as {@link #move} does for an unknown type or shard. */
    Future<ShardReasons> why(String type, int shard);

    /**
     * Report of an entity at this moment, by a query to its home. The query does not start the entity; the report is
     * empty if the shard has no home. The type must have been started on this node, as for the other methods about
     * entities. Fails with INCOMPATIBLE if the home runs a build that cannot report.
     */
    Future<Optional<EntityReport>> entity(String type, String entityId);

    /**
     * State of a live instance, as its class shows it by {@link io.shardbus.spi.Inspectable}. Fails with NOT_APPLICABLE
     * if the class is not Inspectable or no instance is live; with TIMED_OUT if the entity handles another message for
     * longer than a second; with ENTITY_FAILED if its code throws.
     */
    Future<JsonObject> inspect(String type, String entityId);

    /**
     * Passivates an entity when its waiting messages are handled; the next message starts another instance. The id of a
     * remembered entity is removed with that, as when the entity passivates itself. Fails with NOT_APPLICABLE and the
     * reason if no instance is live, as the next two methods do.
     */
    Future<Void> passivate(String type, String entityId);

    /**
     * Ends an entity's instance when the message that it handles is done, or by force after the stop timeout, and
     * starts another one, which gets the waiting messages. Ends a pause after a failure.
     */
    Future<Void> restart(String type, String entityId);

    /**
     * Fails the waiting messages of a remembered entity, ends its instance as {@link #restart} does, and starts none
     * until a message comes. Fails with NOT_APPLICABLE if the entity is not remembered.
     */
    Future<Void> forget(String type, String entityId);

    /**
     * Erases the stored data of a persistent entity, also data that its code can no longer read: stores a deletion,
     * drops snapshots, events and reminders, and passivates the instance. Commands before it take effect first; a later
     * command starts from the empty state. Sequence numbers go on, and projections see the deletion. The ids of
     * commands that were executed stay, so that a repetition takes no effect; their answers do not. Events that a
     * projection with offsets in the same store has yet to read stay until the entity next starts, or is erased again.
     * The id of the entity stays in the store; a remembered entity is still remembered: see {@link #forget}.
     *
     * <p>Succeeds when the store has confirmed the deletion, also if nothing was stored. Fails with NOT_APPLICABLE for
     * a type that stores nothing, and while the shard moves; with INCOMPATIBLE if the home runs an earlier build; with
     * TIMED_OUT, OUTCOME_UNKNOWN or STORE_UNAVAILABLE if the outcome is not known: erase it again then.
     */
    Future<Void> erase(String type, String entityId);
}
