package io.shardbus.launcher;

import io.shardbus.Entity;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;

/**
 * Makes the entities of a type that is started by configuration, as {@code entityFactory} of {@link
 * ShardRegionVerticle} names it: for entities with dependencies, such as a database client or a bean of a container. A
 * public class with a public constructor without parameters; one instance serves one deployment.
 *
 * @param <M> the messages of the entities, the {@code messageClass} of the configuration
 */
public interface EntityFactory<M> {
    /**
     * Called once, before the region starts, on the context of its verticle; must not block. An exception fails the
     * deployment.
     *
     * @param config {@code factoryConfig} of the region; empty where it is not set
     */
    default void init(Vertx vertx, JsonObject config) {}

    /** A new instance for an id; called on the shard's event loop, must not block. */
    Entity<M> create(String entityId);
}
