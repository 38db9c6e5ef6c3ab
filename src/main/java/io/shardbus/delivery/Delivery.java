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

    /** @param vertx for the pauses between attempts */
    public static Delivery create(Vertx vertx, ClusterSharding sharding) {
        return new Delivery(Objects.requireNonNull(sharding, "sharding"), Objects.requireNonNull(vertx, "vertx"));
    }

    /** The address of a persistent entity for commands with ids; the type is started on this node, or a proxy of it. */
    public <M> DeliveryRef<M> ref(EntityType<M> type, String id) {
        return of(sharding.entityRef(type, id));
    }

    /** The address of this reference's entity for commands with ids. */
    public <M> DeliveryRef<M> of(EntityRef<M> entity) {
        return new DeliveryRef<>(vertx, entity);
    }

    /**
     * A producer that numbers its deliveries, on this node.
     *
     * @param name 1 to 200 characters, without control characters; the same after a restart, and used by one producer
     *     at a time
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
     *     for deletions, too. While it throws, the log waits
     */
    public <E> Reaction<E> reaction(Function<EventEnvelope<E>, List<? extends EntityCommand<?>>> commands) {
        return new Reaction<>(vertx, sharding, commands, false, Reaction.LONGEST_BATCH_MS);
    }
}
