package io.shardbus;

import io.shardbus.model.EntityLocation;
import io.shardbus.model.TypeState;
import io.shardbus.options.PassivationOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** This node's share of an entity type: it hosts shards, or is a proxy that hosts none. May be used from any thread. */
public interface ShardRegion<M> {
    EntityType<M> type();

    int numberOfShards();

    /** Whether this region hosts no shards: it was started as a proxy, or its node lacks the type's role. */
    boolean isProxy();

    /**
     * Whether entities of the type have a store that all nodes share, by this node's definition of the type. Only
     * entities of such a type can be {@linkplain ClusterOperations#erase erased}.
     */
    default boolean isPersistent() {
        return false;
    }

    /** Whether a coordinator has accepted this region and the region's lease is valid. */
    boolean isRegistered();

    /**
     * Completes when the region's lease is valid and its shards can be given a home; {@link ClusterSharding#isReady}
     * says this for all regions. Completes at once while both hold. Fails with SHUTTING_DOWN if the region leaves
     * before, or has left.
     */
    Future<Void> ready();

    /**
     * Number of nodes that must still join as hosts of the type before its first shard gets a home, see {@code
     * minimumMembers}; 0 from the moment at which that minimum was reached, also if nodes leave later.
     */
    default int missingMembers() {
        return 0;
    }

    /**
     * Reason why the type is not served, as far as this node knows, in words that say what to do: too few nodes host
     * it, or none does, or leases of an earlier coordinator may still be valid. Empty if there is no such reason.
     */
    default Optional<String> waitsFor() {
        return Optional.empty();
    }

    /** State of this node's region: shards, live entities, waiting messages, counters. Needs no coordinator. */
    Future<TypeState.Region> state();

    /**
     * The shards that this node hosts now, each with the ids of its live entities, at most 10,000 of a shard; empty for
     * a proxy. Needs no coordinator.
     */
    Future<Map<Integer, Set<String>>> entityIds();

    /** Passivation of this node's entities, with every default filled in and the present limit. */
    PassivationOptions passivation();

    /** Passivation as it was configured: {@link #passivation} with the limit that the region began with. */
    default PassivationOptions configuredPassivation() {
        return passivation();
    }

    /**
     * Changes how many entities of the type may be active on this node, until the region ends.
     *
     * @param limit 1 to 10,000,000
     * @throws IllegalStateException if the strategy keeps no limit
     * @throws IllegalArgumentException if the limit is out of range
     */
    void limitActiveEntities(int limit);

    EntityRef<M> entityRef(String entityId);

    /**
     * Sends to the entity that the message names.
     *
     * @param message a {@link ShardingEnvelope}, a {@link StartEntity}, an envelope of the type's
     *     {@link io.shardbus.spi.EnvelopeExtractor}, or a message from which the type's extractor takes the id
     * @throws ShardingException as {@link EntityRef#tell}, and INVALID_ID if the message gives no id, or an invalid one
     */
    void tell(Object message);

    /**
     * Asks the entity that the message names; see {@link #tell(Object)}. A start request is answered with an
     * {@link EntityLocation}.
     */
    <R> Future<R> ask(Object message, Class<R> answer, Duration timeout);

    /**
     * Hands all shards over and ends the region; completes when the region has ended. The node may start the type
     * again.
     */
    Future<Void> leave();
}
