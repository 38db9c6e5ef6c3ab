package io.shardbus;

import io.shardbus.model.ClusterState;
import io.shardbus.model.EntityLocation;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Sharding on one Vertx: the entry point. A Vertx has one sharding: further calls of {@link #create} return the same.
 * {@code Vertx.close()} also closes the sharding, as {@link #close} does. May be used from any thread; futures complete
 * on the caller's Vert.x context if there is one.
 */
public interface ClusterSharding {
    /**
     * The sharding of a Vertx, made on first use. Works on a clustered Vertx whose cluster manager is a
     * {@link io.shardbus.membership.ShardbusClusterManager}, and alone in one process on any other.
     *
     * @throws IllegalArgumentException for an option out of range, naming key, value and range
     * @throws IllegalStateException for another cluster manager, for options that differ from those of the sharding
     *     that the Vertx has, and on a clustered Vertx whose sharding was closed: its node has said goodbye
     */
    static ClusterSharding create(Vertx vertx, ShardingOptions options) {
        return ShardingProvider.INSTANCE.create(vertx, options);
    }

    /**
     * The open sharding that {@link #create} made for a Vertx; empty before the first call of {@code create}, and once
     * that sharding is closed.
     */
    static Optional<ClusterSharding> find(Vertx vertx) {
        return ShardingProvider.INSTANCE.find(vertx);
    }

    /**
     * Starts a type on this node: the node hosts it, or is a proxy for it if it lacks the type's role. A further call
     * with an equal definition returns the same region; a proxy that {@link #startProxy} started then hosts shards, if
     * the node has the type's role. Fails with an {@link IllegalStateException} if the type runs here with a definition
     * that differs, and with {@link FailureCode#SHUTTING_DOWN} once sharding is closed.
     *
     * <p>Completes when a coordinator has accepted the region. Its shards may open later: at the first start of a
     * cluster a little more than {@code leaseDurationMs} later. {@link ShardRegion#ready} completes then. Messages that
     * are sent after this call wait, as many as {@code bufferSize}; an ask waits until its timeout at most. If the
     * start fails, the waiting messages fail with {@link FailureCode#SHUTTING_DOWN}.
     */
    <M> Future<ShardRegion<M>> start(EntityDefinition<M> definition);

    /**
     * Starts a proxy of a type on this node, which sends to the type's entities and hosts none. If the node hosts the
     * type already, returns that region. Completes and fails as {@link #start} does.
     */
    <M> Future<ShardRegion<M>> startProxy(EntityDefinition<M> definition);

    /**
     * A reference to an entity of a type that was started on this node, as host or proxy. Once sharding is closed, asks
     * of the reference fail with {@link FailureCode#SHUTTING_DOWN}, and its other messages are dead letters.
     *
     * @throws ShardingException UNKNOWN_TYPE for a type that was not started: call {@link #start} or {@link
     *     #startProxy} first; INVALID_ID for an id that is empty, longer than 1,024 bytes of UTF-8, or that has U+0000
     *     or half a surrogate pair, and if the type's extractor gives no valid shard for it
     */
    <M> EntityRef<M> entityRef(EntityType<M> type, String entityId);

    /** The names of the types that were started on this node. */
    Set<String> startedTypes();

    /** The region of a type on this node. */
    Optional<ShardRegion<?>> region(String type);

    /** The region of a type on this node; empty also where a type of that name with other messages was started. */
    default <M> Optional<ShardRegion<M>> region(EntityType<M> type) {
        @SuppressWarnings("unchecked") // equal types have the same message class
        Optional<ShardRegion<M>> found =
                region(type.name()).filter(region -> region.type().equals(type)).map(region -> (ShardRegion<M>) region);
        return found;
    }

    NodeId self();

    ShardingOptions options();

    /** The cluster as this node sees it now. */
    ClusterState clusterState();

    /**
     * The nodes that host a type. Fails with {@link FailureCode#NOT_IN_MAJORITY} or TIMED_OUT when no coordinator
     * answered in time, as the following queries do: repeat the query then.
     */
    Future<Set<NodeId>> regions(String type);

    /** The state of a type in the whole cluster; empty shards and regions for a type that was not started. */
    Future<TypeState> typeState(String type);

    /**
     * The ids of the live instances of a shard, at most 10,000; none for a type that was not started. Fails with
     * INVALID_ID if the type has no shard of this number.
     */
    Future<Set<String>> entityIds(String type, int shard);

    /**
     * Locates an entity, if its shard has a home. Fails with UNKNOWN_TYPE for a type that was not started on this node.
     */
    Future<Optional<EntityLocation>> locate(String type, String entityId);

    /**
     * Begins a round of rebalancing for a type now; completes with the number of handoffs that have begun. Fails with
     * UNKNOWN_TYPE for a type that was not started, and with {@link FailureCode#NOT_IN_MAJORITY} when no coordinator
     * was ready in time.
     */
    Future<Integer> rebalance(String type);

    /**
     * As {@link #rebalance(String)}, with fewer moves in this round than the strategy would make: of the shards that it
     * chooses, those with the lowest numbers, as {@link io.shardbus.model.MovePlan#first} has them. Later rounds have
     * the strategy's own limits: see {@link ClusterOperations#setRebalancing}. Fails with INCOMPATIBLE where the
     * coordinator runs a build that knows no such limit.
     *
     * @param limit how many shards move at most
     * @throws IllegalArgumentException for a limit below 1
     */
    Future<Integer> rebalance(String type, int limit);

    /**
     * Sets and reads where the shards of a type should live, for types that are placed by the strategy
     * {@code external}. The type need not be started on this node.
     *
     * @throws UnsupportedOperationException where there is no cluster, as in a test of one entity
     */
    default ExternalShardAllocation externalAllocation(String type) {
        throw new UnsupportedOperationException("no shards are placed here, so '" + type + "' has no desired homes");
    }

    /**
     * Operator API: events, moves, the status of nodes.
     *
     * @throws UnsupportedOperationException where there is no cluster, as in a test of one entity
     */
    default ClusterOperations operations() {
        throw new UnsupportedOperationException("there is no cluster here");
    }

    /**
     * Moves all shards off a node, and gives it no new ones. The drain lasts until {@link #undrain}, or until the
     * node's region ends; it outlasts the coordinator. Completes with the number of shards that the node has now,
     * before they have moved. Fails with {@link FailureCode#NOT_IN_MAJORITY} when no coordinator answered in time; with
     * OUTCOME_UNKNOWN when the order may be stored or not: repeat it then; with UNKNOWN_NODE for a node that is not in
     * the cluster; with NOT_APPLICABLE while 1,000 orders are stored.
     */
    Future<Integer> drain(NodeId node);

    /**
     * Ends a drain: the node may have shards again, and shards that have not begun to leave stay. Completes with the
     * number of shards that the node has now. Has no effect on a member that is not drained; the drain of a node that
     * has left can be ended, too. Fails as {@link #drain} does, with UNKNOWN_NODE for a node that is neither a member
     * nor the subject of a stored order, and with {@link FailureCode#INCOMPATIBLE} if the coordinator runs an earlier
     * build that cannot do this.
     */
    Future<Integer> undrain(NodeId node);

    /** The nodes of the cluster that are drained of one type or more; fails as {@link #undrain} does. */
    Future<Set<NodeId>> drainedNodes();

    /**
     * Announces that the whole cluster will stop: no rebalancing, and regions stop without moving their shards. When
     * the coordinator's node leaves, another node takes over only after two thirds of a lease, so that nodes that leave
     * soon after the coordinator do not have to register with a new one. Completes when all members have been told. A
     * member that leaves meanwhile need not be told; neither need a frozen or cut-off member once the cluster has gone
     * on without it. If such a member comes back it does not know of the shutdown: announce it again. Fails with
     * TIMED_OUT when a member does not answer in time, and with {@link FailureCode#NOT_APPLICABLE} when a member keeps
     * to a later announcement or cancellation; the others have been told then. What is said on this node after that is
     * later.
     */
    Future<Void> prepareForShutdown();

    /**
     * Cancels an announced shutdown on all members: shards move again, and nodes hand their shards over when they
     * leave. Has no effect if no shutdown is announced. Completes and fails as {@link #prepareForShutdown} does; with a
     * member of an earlier build that cannot do this it fails with {@link FailureCode#INCOMPATIBLE}.
     */
    Future<Void> cancelShutdown();

    /**
     * Reasons why this node is not ready though its side of the cluster may act, in words that say what to do: options
     * of the node that must be the same on all nodes differ from those of the others, seats are missing without which
     * the cluster is not founded, or too few nodes host a type. Empty if there is no such reason.
     */
    default List<String> notReadyReasons() {
        return List.of();
    }

    /**
     * Prepares this node to leave. The node is not ready from now on, so that load balancers send requests elsewhere.
     * After the delay its shards move to other nodes, while it still answers requests and forwards messages. Completes
     * when it is home of no shard, when no other node can take them, or {@code shutdownTimeoutMs} after the delay. Call
     * {@link #close} after that.
     *
     * <p>Fails with {@link FailureCode#LAST_SEAT}, before anything has begun, if this node is the last that may
     * coordinate while other nodes stay: they would stop when their leases end. Stop those first, or call {@link
     * #prepareForShutdown}. {@link #close} does not check this.
     *
     * @param loadBalancerDelay how long load balancers take to notice; 0 or more
     */
    Future<Void> prepareToLeave(Duration loadBalancerDelay);

    /**
     * Reasons why only a restart of this process helps this node, in words: its side of a split stopped and all lost
     * members are dead, its event loop is blocked for good, or its cluster manager has ended. Empty for a node that may
     * recover by itself, whether it is ready or not, and for one that leaves. Any thread, does not block.
     */
    default List<String> restartReasons() {
        return List.of();
    }

    /** Whether {@link #prepareToLeave} or {@link #close} was called. */
    boolean isLeaving();

    /**
     * Whether every region of this node is registered, its shards can be given a home, and the other nodes can send to
     * it. False from {@link #prepareToLeave} or {@link #close} on, and after a merge until the addresses of the node
     * are published again, mostly less than a second.
     */
    boolean isReady();

    /**
     * Leaves in good order: hands off shards, ends regions, says goodbye. A clustered Vertx cannot get another sharding
     * after that.
     */
    Future<Void> close();
}
