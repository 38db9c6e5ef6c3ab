package io.shardbus.launcher;

import io.shardbus.options.ClusterOptions;
import io.shardbus.options.TlsOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The event bus between nodes as a configuration describes it: "host", "port", "publicHost", "publicPort", "tls" (the
 * keys of {@link TlsOptions}), and all other keys of Vert.x's {@link EventBusOptions}, in its words.
 */
final class EventBusConfig {
    private static final int MOST_PORTS = 65_535;
    private static final String HOST = "host";
    private static final String PORT = "port";
    private static final String TLS = "tls";
    private static final String PUBLIC_HOST = "publicHost";
    private static final String PUBLIC_PORT = "publicPort";
    private static final Set<String> OWN = Set.of(HOST, PORT, TLS, PUBLIC_HOST, PUBLIC_PORT);
    /** Connections are made safe by "tls" alone, so that they are not half safe. */
    private static final Set<String> BY_TLS =
            Set.of("ssl", "trustAll", "clientAuth", "enabledSecureTransportProtocols", "useAlpn");

    private EventBusConfig() {}

    /** The keys, with a value of the kind that each takes. */
    static JsonObject shape() {
        return vertxKeys()
                .put(HOST, "")
                .put(PORT, 0)
                .put(PUBLIC_HOST, "")
                .put(PUBLIC_PORT, 0)
                .put(TLS, new TlsOptions().toJson());
    }

    /** Those of Vert.x with their defaults: the ones that have any. */
    private static JsonObject vertxKeys() {
        JsonObject keys = ClusteredBus.options().toJson();
        BY_TLS.forEach(keys::remove);
        return keys;
    }

    /** @throws IllegalArgumentException naming the key that is wrong */
    static EventBusOptions of(ConfigSection section, ClusterOptions cluster) {
        JsonObject vertx = vertxKeys();
        Set<String> allowed = new TreeSet<>(vertx.fieldNames());
        allowed.addAll(OWN);
        section.allow(allowed);
        JsonObject merged = ClusteredBus.options().toJson();
        for (String key : vertx.fieldNames()) {
            Object value = section.json().getValue(key);
            if (value != null && !OWN.contains(key)) {
                requireKind(section, key, value, vertx.getValue(key));
                merged.put(key, value);
            }
        }
        EventBusOptions options = made(section, merged);
        addresses(section, options, cluster.getBindAddress());
        return secured(section, options, cluster.getTls());
    }

    /**
     * Reads the keys as Vert.x does, unknown ones included; what they do not set follows from the cluster's options.
     */
    static EventBusOptions near(JsonObject keys, ClusterOptions cluster) {
        var options = new EventBusOptions(ClusteredBus.options().toJson().mergeIn(keys));
        if (!keys.containsKey(HOST)) {
            options.setHost(ofCluster(cluster.getBindAddress()));
        }
        var tls = cluster.getTls();
        return tls == null || keys.containsKey("ssl") ? options : tls.secure(options);
    }

    private static EventBusOptions made(ConfigSection section, JsonObject merged) {
        try {
            return new EventBusOptions(merged);
        } catch (IllegalArgumentException | ClassCastException e) {
            throw new IllegalArgumentException(section.key("options") + ": " + e.getMessage(), e);
        }
    }

    private static void requireKind(ConfigSection section, String key, Object value, Object known) {
        boolean same = known instanceof Number
                ? isNumber(value, known)
                : known.getClass().isInstance(value);
        if (!same) {
            String kind = known instanceof Number
                    ? value instanceof Number ? "a whole number of its range" : "a number"
                    : known instanceof Boolean ? "true or false" : known instanceof JsonArray ? "an array" : "a text";
            throw section.refusal(key, "\"" + value + "\" is not " + kind + ", as EventBusOptions has it");
        }
    }

    /** Vert.x would cut off a fraction, and take the lower bits of what is too large. */
    private static boolean isNumber(Object value, Object known) {
        if (known instanceof Integer) {
            return value instanceof Integer;
        }
        return known instanceof Long ? value instanceof Integer || value instanceof Long : value instanceof Number;
    }

    private static void addresses(ConfigSection section, EventBusOptions options, @Nullable String bindAddress) {
        var host = section.text(HOST, ofCluster(bindAddress));
        if (host != null) {
            options.setHost(host);
        }
        var publicHost = section.text(PUBLIC_HOST, null);
        if (publicHost != null) {
            options.setClusterPublicHost(publicHost);
        }
        int publicPort = section.number(PUBLIC_PORT, 1, MOST_PORTS, 0);
        if (publicPort != 0) {
            options.setClusterPublicPort(publicPort);
        }
        options.setPort(section.number(PORT, 0, MOST_PORTS, 0));
    }

    private static @Nullable String ofCluster(@Nullable String bindAddress) {
        return bindAddress == null ? "127.0.0.1" : literal(bindAddress);
    }

    /**
     * Words of JGroups, such as SITE_LOCAL, mean nothing to the event bus: the cluster manager says what they stand
     * for.
     */
    private static @Nullable String literal(String address) {
        return address.matches("[A-Z_]+|match-.*") ? null : address;
    }

    /** Encrypted with the bus's own certificates, or else with those of the cluster. */
    private static EventBusOptions secured(
            ConfigSection section, EventBusOptions options, @Nullable TlsOptions ofCluster) {
        if (!section.has(TLS)) {
            return ofCluster == null ? options : ofCluster.secure(options);
        }
        try {
            TlsOptions own = new TlsOptions(section.section(TLS).json());
            own.validate();
            return own.secure(options);
        } catch (IllegalArgumentException e) {
            throw section.refusal(TLS, String.valueOf(e.getMessage()));
        }
    }
}
