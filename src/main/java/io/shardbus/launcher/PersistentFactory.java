package io.shardbus.launcher;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.persistence.spi.PersistenceStore;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;

/**
 * Makes the definition of a persistent type that is started by configuration, as {@code persistentFactory} of {@link
 * ShardRegionVerticle} names it. A public class with a public constructor without parameters; one instance serves one
 * deployment.
 *
 * @param <M> the messages of the entities, the {@code messageClass} of the configuration
 */
public interface PersistentFactory<M> {
    /**
     * Called once, before {@link #define}, on the context of the verticle; must not block. An exception fails the
     * deployment.
     *
     * @param config {@code factoryConfig} of the region; empty where it is not set
     */
    default void init(Vertx vertx, JsonObject config) {}

    /**
     * The definition of the type with its entities in this store, as {@code EventSourced.of(type, ...).on(store)} gives
     * it; on the context of the verticle, must not block. The other settings of the region's configuration are made on
     * it afterwards.
     *
     * @param store shared by all regions of a Vertx with the same configuration of the store; closed with the last of
     *     them
     */
    EntityDefinition<M> define(EntityType<M> type, PersistenceStore store);
}
