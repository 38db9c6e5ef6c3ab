package io.shardbus.launcher;

import io.shardbus.options.AdminOptions;
import io.shardbus.options.ClusterOptions;
import io.shardbus.options.DaemonOptions;
import io.shardbus.options.DataCenterOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.options.SingletonOptions;
import io.shardbus.options.TlsOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Configuration of a node of the launcher: the keys of {@link ShardingOptions}, and beside them "cluster" (the keys of
 * {@link ClusterOptions}), "eventBus" (host, port, publicHost, publicPort, tls, and the keys of Vert.x's {@link
 * EventBusOptions}), "regions", "daemons" and "singletons" (the configurations of {@link ShardRegionVerticle}, {@link
 * ShardedDaemonVerticle} and {@link ClusterSingletonVerticle}, without "sharding"), "dataCenter" (the keys of {@link
 * DataCenterOptions}; a region or singleton with a "dataCenter" of its own is shared with the others), "persistence"
 * (the store of the regions with a "persistentFactory" that name none: {@link StoreConfig}) and "admin" (host, port,
 * and the keys of {@link AdminOptions}).
 *
 * @param regions with the sharding options of the node in each, as in daemons and singletons
 */
record LauncherConfig(
        ShardingOptions sharding,
        ClusterOptions cluster,
        EventBusOptions eventBus,
        List<JsonObject> regions,
        List<JsonObject> daemons,
        List<JsonObject> singletons,
        Optional<DataCenterConfig> dataCenter,
        Optional<Listener> admin) {
    static final Set<String> OWN_KEYS = Set.of(
            "cluster", "eventBus", "regions", "daemons", "singletons", DataCenterConfig.KEY, StoreConfig.KEY, "admin");
    private static final int MOST_PORTS = 65_535;

    /** Address and options of the admin resources. */
    record Listener(String host, int port, AdminOptions options) {}

    /** Reads and checks a file, with variables of the environment in it; blocks. */
    static LauncherConfig read(Path file) {
        return read(file, System::getenv);
    }

    /** @param environment null for a variable that is not set */
    static LauncherConfig read(Path file, UnaryOperator<@Nullable String> environment) {
        UnaryOperator<JsonObject> resolved = content -> ConfigVariables.resolve(content, shape(), environment);
        return of(ConfigStores.merge(resolved.apply(ConfigFile.read(file)), resolved));
    }

    /** A value of its kind for each key that takes none of texts. */
    private static JsonObject shape() {
        return new ShardingOptions()
                .toJson()
                .put("minimumMembersOfRole", new JsonObject().put(ConfigVariables.ANY, 0))
                .put("cluster", new ClusterOptions().toJson().put("tls", new TlsOptions().toJson()))
                .put("eventBus", EventBusConfig.shape())
                .put(DataCenterConfig.KEY, dataCenterShape())
                .put("admin", new AdminOptions().toJson().put("port", 0))
                .put(StoreConfig.KEY, StoreConfig.shape())
                .put(
                        "regions",
                        new JsonArray()
                                .add(DefinitionKeys.shape()
                                        .put("proxy", false)
                                        .put(StoreConfig.KEY, StoreConfig.shape())))
                .put("daemons", new JsonArray().add(new DaemonOptions().toJson()))
                .put("singletons", new JsonArray().add(new SingletonOptions().toJson()));
    }

    private static JsonObject dataCenterShape() {
        return new DataCenterOptions()
                .toJson()
                .put("others", new JsonObject().put(ConfigVariables.ANY, new JsonArray()))
                .put("tls", new TlsOptions().toJson());
    }

    /** @throws IllegalArgumentException naming the key that is wrong */
    static LauncherConfig of(JsonObject json) {
        var root = new ConfigSection("", json);
        var sharding = new ShardingOptions(root.without(OWN_KEYS));
        sharding.validate();
        var cluster = cluster(root.section("cluster"));
        return new LauncherConfig(
                sharding,
                cluster,
                EventBusConfig.of(root.section("eventBus"), cluster),
                sections(withStore(root, DataCenterConfig.hosted(root, "regions")), sharding, RegionConfig::of),
                sections(root.sections("daemons"), sharding, ShardedDaemonVerticle::check),
                sections(DataCenterConfig.hosted(root, "singletons"), sharding, ClusterSingletonVerticle::check),
                root.has(DataCenterConfig.KEY) ? Optional.of(DataCenterConfig.of(root)) : Optional.empty(),
                root.has("admin") ? Optional.of(admin(root.section("admin"))) : Optional.empty());
    }

    /** The regions, those with persistent entities that name no store with that of the file. */
    private static List<ConfigSection> withStore(ConfigSection root, List<ConfigSection> regions) {
        if (!root.has(StoreConfig.KEY)) {
            return regions;
        }
        JsonObject store = root.section(StoreConfig.KEY).json();
        StoreConfig.of(root.section(StoreConfig.KEY));
        return regions.stream()
                .map(region -> region.has("persistentFactory") && !region.has(StoreConfig.KEY)
                        ? region.with(region.json().copy().put(StoreConfig.KEY, store))
                        : region)
                .toList();
    }

    static ClusterOptions cluster(ConfigSection section) {
        return checked(section, json -> new ClusterOptions(json), ClusterOptions::validate);
    }

    /** The options of a section; what is wrong with them is told with the name of the section before the key. */
    static <O> O checked(ConfigSection section, Function<JsonObject, O> options, Consumer<O> validation) {
        try {
            O made = options.apply(section.json());
            validation.accept(made);
            return made;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(section.key(String.valueOf(e.getMessage())), e);
        }
    }

    /** @param check refuses what is wrong before anything starts */
    private static List<JsonObject> sections(
            List<ConfigSection> given, ShardingOptions sharding, Consumer<ConfigSection> check) {
        var sections = new ArrayList<JsonObject>();
        for (var section : given) {
            if (section.has("sharding")) {
                throw section.refusal("sharding", "belongs to the top of the file: all of a node share it");
            }
            check.accept(section);
            sections.add(section.json().copy().put("sharding", sharding.toJson()));
        }
        return sections;
    }

    private static Listener admin(ConfigSection section) {
        var keys = new TreeSet<>(Set.of("host", "port"));
        keys.addAll(new AdminOptions().toJson().fieldNames());
        section.allow(keys);
        var host = section.text("host", "127.0.0.1");
        return new Listener(
                host == null ? "" : host,
                section.number("port", 0, MOST_PORTS, 8080),
                new AdminOptions(section.without(Set.of("host", "port"))));
    }
}
