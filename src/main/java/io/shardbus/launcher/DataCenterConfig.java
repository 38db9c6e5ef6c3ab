package io.shardbus.launcher;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.codec.PayloadCodecs;
import io.shardbus.daemon.ClusterSingleton;
import io.shardbus.datacenter.DataCenters;
import io.shardbus.options.DataCenterOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The links to other data centers as a file describes them: the keys of {@link DataCenterOptions} in "dataCenter", and
 * the key "dataCenter" of each region and each singleton that is addressed across data centers.
 *
 * @param shared the regions that have the key
 * @param singletons the types of the singletons that have it, here and in other data centers
 */
record DataCenterConfig(DataCenterOptions options, List<Shared> shared, List<EntityType<?>> singletons) {
    static final String KEY = "dataCenter";
    private static final String PROXY = "proxy";

    /** A type and the data center whose nodes host it, as far as this node knows. */
    record Shared(EntityDefinition<?> definition, String dataCenter) {}

    /** @throws IllegalArgumentException naming the key that is wrong */
    static DataCenterConfig of(ConfigSection root) {
        ConfigSection section = root.section(KEY);
        DataCenterOptions options = options(section);
        List<Shared> shared = new ArrayList<>();
        for (ConfigSection region : root.sections("regions")) {
            if (region.has(KEY)) {
                shared.add(shared(region, options));
            }
        }
        List<EntityType<?>> singletons = new ArrayList<>();
        for (ConfigSection singleton : root.sections("singletons")) {
            if (singleton.has(KEY)) {
                place(singleton, options);
                singletons.add(singletonType(singleton));
            }
        }
        return new DataCenterConfig(options, List.copyOf(shared), List.copyOf(singletons));
    }

    private static DataCenterOptions options(ConfigSection section) {
        try {
            var options = new DataCenterOptions(section.json());
            options.validate();
            return options;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(KEY + ": " + e.getMessage(), e);
        }
    }

    private static Shared shared(ConfigSection region, DataCenterOptions options) {
        String name = place(region, options);
        boolean here = name.equals(options.getName());
        if (here && region.flag(PROXY)) {
            throw region.refusal(KEY, "a proxy is one within this data center: leave one of the two keys out");
        }
        var plain = region.without(Set.of(KEY));
        return new Shared(
                RegionConfig.of(region.with(here ? plain : plain.put(PROXY, true)))
                        .definition(),
                name);
    }

    /** The data center that the section names. */
    private static String place(ConfigSection section, DataCenterOptions options) {
        String name = section.requiredText(KEY);
        if (!name.equals(options.getName()) && !options.getOthers().containsKey(name)) {
            throw section.refusal(
                    KEY,
                    "\"" + name + "\" is not this data center, \"" + options.getName() + "\", and none of the others: "
                            + options.getOthers().keySet());
        }
        return name;
    }

    private static EntityType<?> singletonType(ConfigSection section) {
        ConfigSection plain = section.with(section.without(Set.of(KEY)));
        String name = ClusterSingletonVerticle.options(plain).getName();
        EntityType<?> type = ClusterSingleton.typeOf(name, ClusterSingletonVerticle.messages(plain));
        try {
            PayloadCodecs.forType(type);
        } catch (IllegalArgumentException e) {
            throw section.refusal("messageClass", String.valueOf(e.getMessage()));
        }
        return type;
    }

    /**
     * The regions, or the singletons, of the file that a node of this data center starts, without what concerns the
     * links.
     *
     * @param key "regions" or "singletons"
     */
    static List<ConfigSection> hosted(ConfigSection root, String key) {
        String self = root.section(KEY).text("name", null);
        List<ConfigSection> hosted = new ArrayList<>();
        for (ConfigSection section : root.sections(key)) {
            String place = section.text(KEY, null);
            if (place != null && self == null) {
                throw section.refusal(KEY, "needs the section \"" + KEY + "\" at the top of the file, with a name");
            }
            if (place == null || place.equals(self)) {
                hosted.add(section.with(section.without(Set.of(KEY))));
            }
        }
        return hosted;
    }

    /** Begins to connect, and lets the types be addressed; those of this data center have been started. */
    Future<DataCenters> start(Vertx vertx, ClusterSharding sharding) {
        return DataCenters.start(vertx, sharding, options)
                .compose(centers -> Future.all(shared.stream()
                                .map(type -> centers.start(type.definition(), type.dataCenter()))
                                .toList())
                        .map(started -> {
                            singletons.forEach(centers::share);
                            return centers;
                        }))
                .recover(failure ->
                        Future.failedFuture(new IllegalStateException(KEY + ": " + failure.getMessage(), failure)));
    }
}
