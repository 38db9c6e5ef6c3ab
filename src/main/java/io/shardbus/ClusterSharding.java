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
 * Sharding on one Vertx: the entry point. One per Vertx: {@link #create} returns the one that is there. It closes with
 * its Vertx in good order. May be used from any thread; futures complete on the caller's Vert.x context if there is
 * one.
 */
public interface ClusterSharding {
    /**
     * The sharding of a Vertx, made on first use. Works on a clustered Vertx whose cluster manager is a
     * {@link io.shardbus.membership.ShardbusClusterManager}, and alone in one process on any other.
     *
     * @throws IllegalArgumentException for an option out of range, naming key, value and range
     * @throws IllegalStateException for another cluster manager, for other options than those it runs with, and on a
     *     clustered Vertx whose sharding was closed: its node has said goodbye
     */
    static ClusterSharding create(Vertx vertx, ShardingOptions options) {
        return ShardingProvider.INSTANCE.create(vertx, options);
    }

    /** The sharding that {@link #create} made for a Vertx, while it is open. */
    static Optional<ClusterSharding> find(Vertx vertx) {
        return ShardingProvider.INSTANCE.find(vertx);
    }

    /**
     * Hosts a type on this node, or is a proxy for it where the node lacks the type's role. Again with an equal
     * definition: the same region.
     *
     * <p>Completes when a coordinator has accepted the region. Its shards may open later, after {@code leaseDurationMs}
     * and a little at the first start of a cluster: {@link ShardRegion#ready} completes then. Messages that are sent
     * from the call on wait, as many as {@code bufferSize}, and an ask only until its timeout; those that wait fail
     * with {@link FailureCode#SHUTTING_DOWN} when the start fails.
     */
    <M> Future<ShardRegion<M>> start(EntityDefinition<M> definition);

    /** Reaches a type from this node without hosting it. */
    <M> Future<ShardRegion<M>> startProxy(EntityDefinition<M> definition);

    /**
     * A reference to an entity of a type that was started on this node, as host or proxy. Once sharding is closed the
     * reference is one whose asks fail with {@link FailureCode#SHUTTING_DOWN} and whose messages are dead letters.
     *
     * @throws ShardingException UNKNOWN_TYPE for a type that was not started: call {@link #start} or
     *     {@link #startProxy} first
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
     * answered in time, as for the questions below: ask again.
     */
    Future<Set<NodeId>> regions(String type);

    /** The state of a type in the whole cluster; empty shards and regions for a type that was not started. */
    Future<TypeState> typeState(String type);

    /**
     * The ids of the live instances of a shard, at most 10,000; none for a type that was not started. Fails with
     * INVALID_ID for a number that is no shard of the type.
     */
    Future<Set<String>> entityIds(String type, int shard);

    /**
     * Locates an entity, if its shard has a home. Fails with UNKNOWN_TYPE for a type that was not started on this node.
     */
    Future<Optional<EntityLocation>> locate(String type, String entityId);

    /**
     * Evens out the shards of a type now; the number of handoffs begun. Fails with UNKNOWN_TYPE for a type that was not
     * started, with {@link FailureCode#NOT_IN_MAJORITY} when no coordinator was ready in time.
     */
    Future<Integer> rebalance(String type);

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
     * Moves all shards off a node, and gives it no new ones, as long as the node's region is there, or until
     * {@link #undrain}, also under coordinators that come later; how many shards it has now. Fails with
     * {@link FailureCode#NOT_IN_MAJORITY} when no coordinator answered in time, and with OUTCOME_UNKNOWN when the order
     * may be written or not: ask again; with UNKNOWN_NODE for a node that is not in the cluster, with NOT_APPLICABLE
     * while 1,000 orders stand.
     */
    Future<Integer> drain(NodeId node);

    /**
     * Takes a drain back: the node may have shards again, and those that have not begun to leave stay; how many shards
     * it has now. Nothing happens to a member that is not drained; a drain of a node that has left is taken back, too.
     * Fails as {@link #drain} does, with UNKNOWN_NODE for a node that is no member and of which no order stands, and
     * with {@link FailureCode#INCOMPATIBLE} where the coordinator runs an earlier build that cannot do this.
     */
    Future<Integer> undrain(NodeId node);

    /** The nodes of the cluster whose drain holds for one type or more; fails as {@link #undrain} does. */
    Future<Set<NodeId>> drainedNodes();

    /**
     * Announces that the whole cluster will stop: no rebalancing, and regions stop without moving their shards. When
     * the coordinator's node leaves, another takes over only after two thirds of a lease, so that those that leave soon
     * see none. Completes when all members know; one that leaves meanwhile need not, and one that is frozen or cut off
     * counts as such when the cluster has gone on without it: if it comes back it does not know, so announce again.
     * Fails with TIMED_OUT when one does not answer in time; the others know then.
     */
    Future<Void> prepareForShutdown();

    /**
     * Takes an announced shutdown back, on all members: shards move again, and nodes leave as they do otherwise.
     * Nothing happens where none is announced. Completes and fails as {@link #prepareForShutdown} does; a member of an
     * earlier build cannot do this, and fails the call with {@link FailureCode#INCOMPATIBLE}.
     */
    Future<Void> cancelShutdown();

    /**
     * Reasons why this node is not ready though its side of the cluster may act, in words that say what to do: its
     * options differ from those of the others where they must be the same, seats are missing without which the cluster
     * is not founded, or too few nodes host a type. Empty if nothing is in its way.
     */
    default List<String> notReadyReasons() {
        return List.of();
    }

    /**
     * This node is about to leave: it is not ready from now on, so that load balancers send requests elsewhere, and
     * after the delay its shards move to other nodes while it still answers and passes messages on. Completes when it
     * is home of no shard, when no other node can take them, or {@code shutdownTimeoutMs} after the delay.
     * {@link #close} is to follow.
     *
     * <p>Fails with {@link FailureCode#LAST_SEAT}, and nothing has begun, where this node is the last that may
     * coordinate and other nodes stay: they stop when their leases end. Stop those first, or call {@link
     * #prepareForShutdown}; {@link #close} takes the node out all the same.
     *
     * @param loadBalancerDelay how long load balancers take to notice; 0 or more
     */
    Future<Void> prepareToLeave(Duration loadBalancerDelay);

    /**
     * Reasons why only a new start of this process helps this node, in words: its side of a split stopped and all that
     * it lost is dead, its event loop is blocked for good, or its cluster manager has ended. Empty for a node that may
     * help itself, be it ready or not, and for one that leaves. Any thread, does not block.
     */
    default List<String> restartReasons() {
        return List.of();
    }

    /** Whether {@link #prepareToLeave} or {@link #close} was called. */
    boolean isLeaving();

    /**
     * Whether every region of this node is registered and its shards can be given a home, and the other nodes can send
     * to it; false from {@link #prepareToLeave} or {@link #close} on, and after a merge for as long as its addresses
     * are not published again, mostly less than a second.
     */
    boolean isReady();

    /**
     * Leaves in good order: hands off shards, ends regions, says goodbye. A clustered Vertx has no other sharding
     * after it.
     */
    Future<Void> close();
}
