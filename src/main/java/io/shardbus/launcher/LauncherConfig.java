package io.shardbus.launcher;

import io.shardbus.options.AdminOptions;
import io.shardbus.options.ClusterOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.options.TlsOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a node is started with: the keys of {@link ShardingOptions}, and beside them "cluster" (the keys of
 * {@link ClusterOptions}), "eventBus" (host, port, publicHost, publicPort), "regions" (the configurations of
 * {@link ShardRegionVerticle}, without "sharding") and "admin" (host, port, readOnly).
 *
 * @param regions with the sharding options of the node in each
 */
record LauncherConfig(
        ShardingOptions sharding,
        ClusterOptions cluster,
        EventBusOptions eventBus,
        List<JsonObject> regions,
        Optional<Listener> admin) {
    static final Set<String> OWN_KEYS = Set.of("cluster", "eventBus", "regions", "admin");
    private static final int MOST_PORTS = 65_535;

    /** Where the admin resources are served. */
    record Listener(String host, int port, AdminOptions options) {}

    /** Reads and checks a file, with variables of the environment in it; blocks. */
    static LauncherConfig read(Path file) {
        return read(file, System::getenv);
    }

    /** @param environment null for a variable that is not set */
    static LauncherConfig read(Path file, UnaryOperator<@Nullable String> environment) {
        return of(ConfigVariables.resolve(ConfigFile.read(file), shape(), environment));
    }

    /** A value of its kind for each key that takes none of texts. */
    private static JsonObject shape() {
        return new ShardingOptions()
                .toJson()
                .put("cluster", new ClusterOptions().toJson())
                .put("eventBus", new JsonObject().put("port", 0).put("publicPort", 0))
                .put("admin", new JsonObject().put("port", 0).put("readOnly", true))
                .put(
                        "regions",
                        new JsonArray()
                                .add(new JsonObject().put("numberOfShards", 0).put("proxy", false)));
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
                secured(eventBus(root.section("eventBus"), cluster.getBindAddress()), cluster.getTls()),
                regions(root, sharding),
                root.has("admin") ? Optional.of(admin(root.section("admin"))) : Optional.empty());
    }

    private static ClusterOptions cluster(ConfigSection section) {
        try {
            var options = new ClusterOptions(section.json());
            options.validate();
            return options;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(section.key(String.valueOf(e.getMessage())), e);
        }
    }

    private static EventBusOptions eventBus(ConfigSection section, @Nullable String bindAddress) {
        section.allow(Set.of("host", "port", "publicHost", "publicPort"));
        var options = ClusteredBus.options();
        var host = section.text("host", bindAddress == null ? "127.0.0.1" : literal(bindAddress));
        if (host != null) {
            options.setHost(host);
        }
        var publicHost = section.text("publicHost", null);
        if (publicHost != null) {
            options.setClusterPublicHost(publicHost);
        }
        int publicPort = section.number("publicPort", 1, MOST_PORTS, 0);
        if (publicPort != 0) {
            options.setClusterPublicPort(publicPort);
        }
        return options.setPort(section.number("port", 0, MOST_PORTS, 0));
    }

    private static EventBusOptions secured(EventBusOptions bus, @Nullable TlsOptions tls) {
        return tls == null ? bus : tls.secure(bus);
    }

    /**
     * Words of JGroups, such as SITE_LOCAL, mean nothing to the event bus: the cluster manager says what they stand
     * for.
     */
    private static @Nullable String literal(String address) {
        return address.matches("[A-Z_]+|match-.*") ? null : address;
    }

    private static List<JsonObject> regions(ConfigSection root, ShardingOptions sharding) {
        var regions = new ArrayList<JsonObject>();
        for (var section : root.sections("regions")) {
            if (section.has("sharding")) {
                throw section.refusal("sharding", "belongs to the top of the file: all regions of a node share it");
            }
            RegionConfig.of(section);
            regions.add(section.json().copy().put("sharding", sharding.toJson()));
        }
        return regions;
    }

    private static Listener admin(ConfigSection section) {
        section.allow(Set.of("host", "port", "readOnly"));
        var host = section.text("host", "127.0.0.1");
        boolean readOnly = section.has("readOnly") ? section.flag("readOnly") : AdminOptions.DEFAULT_READ_ONLY;
        return new Listener(
                host == null ? "" : host,
                section.number("port", 0, MOST_PORTS, 8080),
                new AdminOptions().setReadOnly(readOnly));
    }
}
