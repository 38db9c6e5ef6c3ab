package io.shardbus.delivery;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.projection.EventEnvelope;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** Sends commands until they are answered. A command takes effect once, however often it is sent. */
public final class Delivery {
    private final ClusterSharding sharding;
    private final Vertx vertx;

    private Delivery(ClusterSharding sharding, Vertx vertx) {
        this.sharding = sharding;
        this.vertx = vertx;
    }

    /**
     * The delivery of one node.
     *
     * @param vertx the Vertx of this node; its timers set the pauses between attempts
     */
    public static Delivery create(Vertx vertx, ClusterSharding sharding) {
        return new Delivery(Objects.requireNonNull(sharding, "sharding"), Objects.requireNonNull(vertx, "vertx"));
    }

    /**
     * A reference to a persistent entity by which commands with ids are sent.
     *
     * @throws ShardingException UNKNOWN_TYPE for a type that was not started on this node, as host or proxy; INVALID_ID
     *     for an invalid id
     */
    public <M> DeliveryRef<M> ref(EntityType<M> type, String id) {
        return of(sharding.entityRef(type, id));
    }

    /** A reference to the same entity by which commands with ids are sent. */
    public <M> DeliveryRef<M> of(EntityRef<M> entity) {
        return new DeliveryRef<>(vertx, entity);
    }

    /**
     * A producer of numbered deliveries that sends from this node.
     *
     * @param name 1 to 200 characters, without control characters; the same after a restart, and used by one producer
     *     at a time
     * @throws IllegalArgumentException for another name
     */
    public NumberedProducer producer(String name) {
        return new NumberedProducer(vertx, name, NumberedProducer.MOST_UNSETTLED);
    }

    /**
     * The handler of a {@link io.shardbus.projection.Projection} that delivers the commands which follow from events.
     * Entities know the commands by the projection's name: under another name all commands are delivered again and take
     * effect again.
     *
     * @param commands returns at most 256 commands, always the same ones for the same event; called on an event loop,
     *     also for deletions, with null as {@link EventEnvelope#event}. While it throws, the log waits
     */
    public <E> Reaction<E> reaction(Function<EventEnvelope<E>, List<? extends EntityCommand<?>>> commands) {
        return new Reaction<>(vertx, sharding, commands, false, Reaction.LONGEST_BATCH_MS);
    }
}
