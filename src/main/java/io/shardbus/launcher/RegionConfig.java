package io.shardbus.launcher;

import io.shardbus.Entity;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * A region as a configuration describes it.
 *
 * @param sharding the options of the node that it is for
 * @param prepare to be called before the region is started
 */
record RegionConfig(EntityDefinition<?> definition, boolean proxy, ShardingOptions sharding, Consumer<Vertx> prepare) {
    private static final Set<String> KEYS =
            Set.of("type", "messageClass", "entityClass", "entityFactory", "factoryConfig", "proxy", "sharding");

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
        if (section.has("entityFactory")) {
            if (section.has("entityClass")) {
                throw section.refusal("entityFactory", "makes the entities, so that entityClass must not be set");
            }
            var factory = NamedClasses.entityFactory(section, "entityFactory", messages);
            var config = section.section("factoryConfig").json();
            return new RegionConfig(
                    DefinitionKeys.apply(section, EntityDefinition.of(type, factory::create)),
                    proxy,
                    sharding,
                    vertx -> factory.init(vertx, config));
        }
        // a proxy makes no entities, so it need not know their class
        var definition = proxy && !section.has("entityClass")
                ? EntityDefinition.of(type, RegionConfig::<M>noEntity)
                : EntityDefinition.of(type, NamedClasses.factory(section, "entityClass", messages));
        return new RegionConfig(DefinitionKeys.apply(section, definition), proxy, sharding, vertx -> {});
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
        throw new IllegalStateException("a proxy hosts no entities");
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
