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
import io.shardbus.model.SilenceReport;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Operator API of the cluster: status, events and plans, and orders such as cordon, move and pin. Drains are begun and
 * ended by {@link ClusterSharding#drain} and {@link ClusterSharding#undrain}. {@link ClusterSharding#operations}
 * returns this API, and the admin resources use it. May be used from any thread; futures complete on the caller's
 * Vert.x context if there is one. A query to all members waits 0.8 s for each answer: members that are slower count as
 * members that do not answer.
 */
public interface ClusterOperations {
    /**
     * The events of all nodes after a cursor. Each node keeps its last 2,000 of single shards, and
     * its last 2,000 others, in memory, until its process ends.
     *
     * @param cursor the cursor of the page before this one ({@link EventPage#cursor}); empty for all events that the
     *     nodes have
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
     * @param details the parameters of the action by name: texts, numbers and booleans, and no secrets; the text of
     *     another value is recorded
     */
    void recordAction(String action, @Nullable String user, String subject, Map<String, Object> details);

    /**
     * All types that the coordinator knows, with their moves, and the status of each node: one query to the coordinator
     * and one to each member. Fails with {@link io.shardbus.model.FailureCode#NOT_IN_MAJORITY} if no coordinator
     * answers within {@code queryTimeoutMs}; members that do not answer are listed.
     */
    Future<ClusterOverview> overview();

    /**
     * The status of each node, as in {@link #overview}, without types: one query to each member, and none to the
     * coordinator. Members that do not answer are listed.
     */
    Future<ClusterOverview> nodes();

    /**
     * Durations of asks, handling and waiting in the last minute, quarter of an hour and hour, by type and class of
     * messages, with the slowest asks: one query to each member. Members that do not answer are listed; members of an
     * earlier build report no times.
     */
    Future<LatencyReport> latency();

    /**
     * Connections between the lanes of the nodes, and their traffic; a lane is one event loop of a region. Sends one
     * query to each member. Members that do not answer are listed; members of an earlier build report nothing.
     */
    Future<ConnectionReport> connections();

    /**
     * The last dead letters of the nodes, at most 100 of each region and 200 in all, without the messages themselves:
     * one query to each member. A dead letter is a message without an answer that failed. Members that do not answer
     * are listed, and so are members of an earlier build.
     */
    Future<DeadLetterReport> deadLetters();

    /**
     * The last times for which messages waited for the home of a shard, as their senders saw them: what moves and
     * losses have cost. Each node keeps the last 500 of each type: those for shards that moved or whose home was lost,
     * and others of 10 ms and more. One query to each member. Members that do not answer are listed; members of an
     * earlier build name none. Fails like {@link #overview}.
     */
    Future<SilenceReport> silences();

    /**
     * Cordons a node, or ends its cordon. A cordoned node keeps its shards and gets no new ones. A cordon lasts until
     * it is ended or the node leaves; it outlasts the coordinator.
     *
     * <p>Fails with {@link io.shardbus.model.FailureCode#UNKNOWN_NODE} for a node that is not a member; a cordon of a
     * former member can still be ended while an order about that node is stored. As all orders do, it fails with
     * NOT_IN_MAJORITY when no coordinator answers in time, with OUTCOME_UNKNOWN when the order may be stored or not,
     * and with NOT_APPLICABLE while 1,000 orders are stored.
     *
     * @param wanted true: cordons the node; false: ends its cordon
     */
    Future<Void> cordon(NodeId node, boolean wanted);

    /**
     * Stops the automatic rounds of rebalancing, or permits them again; {@link ClusterSharding#rebalance} and drains
     * move shards in any case. The setting outlasts the coordinator, and ends when the whole cluster stops.
     *
     * @param type a type, or empty for all types
     */
    Future<Void> setRebalancing(String type, boolean enabled);

    /**
     * Moves one shard. Completes when the coordinator has queued the move, before the shard leaves; {@link #events} and
     * the moves of {@link #overview} tell how the move ends. The shard stays at its home if the handoff is aborted, for
     * instance because an entity handles one message for longer than {@code askTimeoutMs}, or because the handoff takes
     * longer than {@code handoffTimeoutMs}, or if the node takes it no longer at its turn. Fails with {@link
     * io.shardbus.model.FailureCode#NOT_APPLICABLE} and the reason if the shard cannot move, and with {@link
     * io.shardbus.model.FailureCode#OUTCOME_UNKNOWN} if another node has begun to coordinate before the answer came:
     * look where the shard is before you move it again. As all methods about a shard do, it fails with UNKNOWN_TYPE for
     * a type of which no region has registered with the coordinator, and with {@link
     * io.shardbus.model.FailureCode#UNKNOWN_SHARD}.
     *
     * @param to the next home; null: the coordinator chooses a node other than the present home
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
     * Plans an action: returns the moves that the action would cause if it began at this moment, and carries out none
     * of them.
     *
     * <p>Fails with UNKNOWN_TYPE, and with UNKNOWN_NODE for a node that is not a member.
     *
     * @param node the node that would be drained or leave; null for the other actions
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
     * Passivates an entity when its waiting messages are handled; the next message starts another instance. A
     * remembered entity is then no longer remembered, as when it passivates itself. Fails with NOT_APPLICABLE and the
     * reason if no instance is live, as {@link #restart} and {@link #forget} do.
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
     * executed commands stay stored, so that a repeated command takes no effect; their answers are erased. Events that
     * a projection with offsets in the same store has yet to read stay until the entity next starts, or is erased
     * again. The id of the entity stays in the store; a remembered entity is still remembered: see {@link #forget}.
     *
     * <p>Succeeds when the store has confirmed the deletion, also if nothing was stored. Fails with NOT_APPLICABLE for
     * a type that stores nothing, and while the shard moves; with INCOMPATIBLE if the home runs an earlier build; with
     * TIMED_OUT, OUTCOME_UNKNOWN or STORE_UNAVAILABLE if the outcome is not known: erase it again then.
     */
    Future<Void> erase(String type, String entityId);
}
