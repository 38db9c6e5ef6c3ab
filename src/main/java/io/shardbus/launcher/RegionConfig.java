package io.shardbus.launcher;

import io.shardbus.Entity;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.options.ShardingOptions;
import io.shardbus.persistence.spi.PersistenceStore;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A region as a configuration describes it.
 *
 * @param definition of a persistent type without its entities, which need the store
 * @param sharding the options of the node that it is for
 * @param prepare to be called before the region is started
 * @param stored where the entities are persistent
 */
record RegionConfig(
        EntityDefinition<?> definition,
        boolean proxy,
        ShardingOptions sharding,
        Consumer<Vertx> prepare,
        Optional<Stored> stored) {
    private static final String PERSISTENT = "persistentFactory";
    static final Set<String> KEYS = Set.of(
            "type",
            "messageClass",
            "entityClass",
            "entityFactory",
            PERSISTENT,
            "factoryConfig",
            StoreConfig.KEY,
            "proxy",
            "sharding");

    /**
     * The part of a persistent type.
     *
     * @param definition with the entities in the store
     */
    record Stored(StoreConfig store, Function<PersistenceStore, EntityDefinition<?>> definition) {}

    /** @throws IllegalArgumentException naming the key that is wrong */
    static RegionConfig of(JsonObject json) {
        return of(new ConfigSection("", json));
    }

    static RegionConfig of(ConfigSection section) {
        Set<String> allowed = new TreeSet<>(KEYS);
        allowed.addAll(DefinitionKeys.shape().fieldNames());
        section.allow(allowed);
        return of(section, NamedClasses.find(section, "messageClass"));
    }

    private static <M> RegionConfig of(ConfigSection section, Class<M> messages) {
        var type = type(section, messages);
        var sharding = sharding(section.section("sharding"));
        boolean proxy = section.flag("proxy");
        if (section.has(PERSISTENT) && !proxy) {
            return persistent(section, messages, type, sharding);
        }
        if (section.has("entityFactory")) {
            requireAlone(section, "entityFactory", "entityClass");
            var factory = NamedClasses.entityFactory(section, "entityFactory", messages);
            var config = section.section("factoryConfig").json();
            return new RegionConfig(
                    DefinitionKeys.apply(section, EntityDefinition.of(type, factory::create)),
                    proxy,
                    sharding,
                    vertx -> factory.init(vertx, config),
                    Optional.empty());
        }
        // a proxy makes no entities, so it need not know their class
        var definition = proxy && !section.has("entityClass")
                ? EntityDefinition.of(type, RegionConfig::<M>noEntity)
                : EntityDefinition.of(type, NamedClasses.factory(section, "entityClass", messages));
        return new RegionConfig(
                DefinitionKeys.apply(section, definition), proxy, sharding, vertx -> {}, Optional.empty());
    }

    private static <M> RegionConfig persistent(
            ConfigSection section, Class<M> messages, EntityType<M> type, ShardingOptions sharding) {
        requireAlone(section, PERSISTENT, "entityClass");
        requireAlone(section, PERSISTENT, "entityFactory");
        if (!section.has(StoreConfig.KEY)) {
            throw section.refusal(
                    StoreConfig.KEY,
                    "must be set, here or at the top of a launcher's file, as " + PERSISTENT
                            + " needs a store: {\"store\": \"sqlite\", \"file\": \"data/entities.db\"}");
        }
        var factory = NamedClasses.persistentFactory(section, PERSISTENT, messages);
        var config = section.section("factoryConfig").json();
        return new RegionConfig(
                DefinitionKeys.apply(section, EntityDefinition.of(type, RegionConfig::<M>noEntity)),
                false,
                sharding,
                vertx -> factory.init(vertx, config),
                Optional.of(new Stored(
                        StoreConfig.of(section.section(StoreConfig.KEY)),
                        store -> DefinitionKeys.apply(section, factory.define(type, store)))));
    }

    private static void requireAlone(ConfigSection section, String key, String other) {
        if (section.has(other)) {
            throw section.refusal(key, "makes the entities, so that " + other + " must not be set");
        }
    }

    private static <M> EntityType<M> type(ConfigSection section, Class<M> messages) {
        var name = section.requiredText("type");
        try {
            return EntityType.of(name, messages);
        } catch (IllegalArgumentException e) {
            throw section.refusal("type", String.valueOf(e.getMessage()));
        }
    }

    private static <M> Entity<M> noEntity(String id) {
        throw new IllegalStateException("this definition hosts no entities");
    }

    private static ShardingOptions sharding(ConfigSection section) {
        try {
            var options = new ShardingOptions(section.json());
            options.validate();
            return options;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(section.key(String.valueOf(e.getMessage())), e);
        }
    }
}
