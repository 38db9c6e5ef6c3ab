package io.shardbus.delivery;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.vertx.core.Vertx;
import java.util.Objects;

/** Sends commands until they are answered. They take effect once, however often they are sent. */
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

    /** The same entity as this reference's. */
    public <M> DeliveryRef<M> of(EntityRef<M> entity) {
        return new DeliveryRef<>(vertx, entity);
    }
}
