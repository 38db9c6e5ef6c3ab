package io.shardbus.launcher;

import io.shardbus.Entity;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.json.JsonObject;
import java.util.Set;

/**
 * A region as a configuration describes it.
 *
 * @param sharding the options of the node that it is for
 */
record RegionConfig(EntityDefinition<?> definition, boolean proxy, ShardingOptions sharding) {
    private static final Set<String> KEYS = Set.of(
            "type", "messageClass", "entityClass", "metricsClass", "role", "numberOfShards", "proxy", "sharding");
    private static final int MOST_SHARDS = 65_536;

    /** @throws IllegalArgumentException naming the key that is wrong */
    static RegionConfig of(JsonObject json) {
        return of(new ConfigSection("", json));
    }

    static RegionConfig of(ConfigSection section) {
        section.allow(KEYS);
        return new RegionConfig(definition(section), section.flag("proxy"), sharding(section.section("sharding")));
    }

    private static EntityDefinition<?> definition(ConfigSection section) {
        var messages = NamedClasses.find(section, "messageClass");
        var definition = definition(section, messages);
        var role = section.text("role", null);
        if (role != null) {
            definition = definition.withRole(role);
        }
        if (section.has("metricsClass")) {
            definition = definition.withMetrics(NamedClasses.metrics(section, "metricsClass"));
        }
        int shards = section.number("numberOfShards", 1, MOST_SHARDS, 0);
        return shards == 0 ? definition : definition.withNumberOfShards(shards);
    }

    /** A proxy makes no entities, so it need not know their class. */
    private static <M> EntityDefinition<M> definition(ConfigSection section, Class<M> messages) {
        var type = type(section, messages);
        return section.flag("proxy") && !section.has("entityClass")
                ? EntityDefinition.of(type, RegionConfig::noEntity)
                : EntityDefinition.of(type, NamedClasses.factory(section, "entityClass", messages));
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
