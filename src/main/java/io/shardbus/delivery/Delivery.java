package io.shardbus.delivery;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.projection.EventEnvelope;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * Sends commands to persistent entities until they are answered. An entity executes a command once, however often it is
 * sent. May be used from any thread.
 */
public final class Delivery {
    private final ClusterSharding sharding;
    private final Vertx vertx;

    private Delivery(ClusterSharding sharding, Vertx vertx) {
        this.sharding = sharding;
        this.vertx = vertx;
    }

    /**
     * Creates the delivery of one node; sends nothing yet.
     *
     * @param vertx the Vertx of this node; its timers measure the pauses between attempts
     */
    public static Delivery create(Vertx vertx, ClusterSharding sharding) {
        return new Delivery(Objects.requireNonNull(sharding, "sharding"), Objects.requireNonNull(vertx, "vertx"));
    }

    /**
     * A reference that sends commands with ids to a persistent entity.
     *
     * @throws io.shardbus.ShardingException UNKNOWN_TYPE for a type that was started on this node neither as host nor
     *     as proxy; INVALID_ID for an invalid id
     */
    public <M> DeliveryRef<M> ref(EntityType<M> type, String id) {
        return of(sharding.entityRef(type, id));
    }

    /** A reference that sends commands with ids to the entity of another reference. */
    public <M> DeliveryRef<M> of(EntityRef<M> entity) {
        return new DeliveryRef<>(vertx, entity);
    }

    /**
     * A producer of numbered deliveries that sends from this node. Entities recognise repeated deliveries by its name.
     *
     * @param name 1 to 200 characters, no control character, not blank; the same after a restart, and used by one
     *     producer of the cluster at a time
     * @throws IllegalArgumentException for another name
     */
    public NumberedProducer producer(String name) {
        return new NumberedProducer(vertx, name, NumberedProducer.MOST_UNSETTLED);
    }

    /**
     * The handler of a {@link io.shardbus.projection.Projection} that delivers the commands which follow from events.
     * Entities recognise repeated commands by the projection's name: a projection of another name delivers all commands
     * again, and they take effect again.
     *
     * @param commands returns at most 256 commands, always the same ones in the same order for the same event. Called
     *     on an event loop, must not block; called for deletions, too, with null as {@link EventEnvelope#event}. If it
     *     throws, or returns more commands, the log waits at the batch, which is tried again
     */
    public <E> Reaction<E> reaction(Function<EventEnvelope<E>, List<? extends EntityCommand<?>>> commands) {
        return new Reaction<>(vertx, sharding, commands, false, Reaction.LONGEST_BATCH_MS);
    }
}
