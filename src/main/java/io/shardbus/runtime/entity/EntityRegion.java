package io.shardbus.runtime.entity;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.tracing.MessageTracing;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The region of a type on this node, as its entities need it. */
public interface EntityRegion<M> {
    EntityDefinition<M> definition();

    TypedPayloads payloads();

    GuardedMetrics metrics();

    EntityCounters counters();

    ElapsedClock clock();

    /** Null where nothing is traced. */
    @Nullable
    MessageTracing tracing();

    /** Whether what is hosted since that stay may begin something at this moment; any thread. */
    boolean hasLease(long stay);

    int numberOfShards();

    /** Version of the message extractor, which maps ids to shards. */
    String addressing();

    /** Limit of the bytes of a message; any thread. */
    int maxPayloadBytes();

    EntityRef<M> entityRef(String entityId);

    /**
     * A reference of an entity to one of its type. What it sends to the entity's own shard stays here while the sender
     * lives.
     *
     * @param fromShard shard of the sender
     * @param lives whether the sender still lives; called on the lane of its shard
     */
    EntityRef<M> entityRef(String entityId, int fromShard, BooleanSupplier lives);
}
