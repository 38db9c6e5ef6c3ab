package io.shardbus.membership;

import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Attributes that a node publishes about itself.
 *
 * @param roles of the node; an entity type may require a role of the nodes that host it. At most 100
 * @param mayCoordinate whether the node may become coordinator
 * @param appVersion the version of the application, for people and for rolling updates; empty if none was given
 * @param busHost the host of the node's event bus; empty if unknown
 * @param busPort the port of the node's event bus; 0 if unknown
 * @param safety the options that must be the same on all nodes, as texts by their keys; empty if the node does not say.
 *     At most 20, each text with at most 2,000 characters
 * @param secret the fingerprint of the node's cluster secret, which does not reveal it, or that the node has none;
 *     empty if the node does not say
 */
public record NodeAttributes(
        Set<String> roles,
        boolean mayCoordinate,
        String appVersion,
        String busHost,
        int busPort,
        Map<String, String> safety,
        String secret) {
    private static final int MAX_ROLES = 100;
    private static final int MAX_SAFETY = 20;
    private static final int MAX_SAFETY_LENGTH = 2_000;
    private static final int MAX_LENGTH = 200;

    /** A node without roles that may coordinate. */
    public static final NodeAttributes DEFAULT = new NodeAttributes(Set.of(), true, "");

    /**
     * @throws IllegalArgumentException for more than 100 roles or 20 options, for an option's text longer than 2,000
     *     characters or any other text longer than 200, and for a port out of range
     */
    public NodeAttributes {
        roles = Set.copyOf(roles);
        safety = Map.copyOf(safety);
        if (safety.size() > MAX_SAFETY) {
            throw new IllegalArgumentException("safety: " + safety.size() + " are too many; at most " + MAX_SAFETY);
        }
        safety.forEach((key, value) -> {
            requireShort("safety", key);
            requireAtMost(MAX_SAFETY_LENGTH, key, value);
        });
        Objects.requireNonNull(appVersion, "appVersion");
        if (roles.size() > MAX_ROLES) {
            throw new IllegalArgumentException("roles: " + roles.size() + " are too many; at most " + MAX_ROLES);
        }
        roles.forEach(role -> requireShort("roles", role));
        requireShort("appVersion", appVersion);
        requireShort("busHost", busHost);
        requireShort("secret", secret);
        if (busPort < 0 || busPort > 65_535) {
            throw new IllegalArgumentException("busPort: " + busPort + " is no port");
        }
    }

    /** The attributes before the node has an event bus. */
    public NodeAttributes(Set<String> roles, boolean mayCoordinate, String appVersion) {
        this(roles, mayCoordinate, appVersion, "", 0);
    }

    /** The attributes of a node that publishes neither options nor a fingerprint. */
    public NodeAttributes(Set<String> roles, boolean mayCoordinate, String appVersion, String busHost, int busPort) {
        this(roles, mayCoordinate, appVersion, busHost, busPort, Map.of(), "");
    }

    NodeAttributes at(String host, int port) {
        return new NodeAttributes(roles, mayCoordinate, appVersion, host, port, safety, secret);
    }

    /** These attributes with the options by which the node decides about splits. */
    public NodeAttributes decidingBy(Map<String, String> options) {
        return new NodeAttributes(roles, mayCoordinate, appVersion, busHost, busPort, options, secret);
    }

    /** These attributes with the fingerprint of the node's cluster secret. */
    public NodeAttributes sealingWith(String fingerprint) {
        return new NodeAttributes(roles, mayCoordinate, appVersion, busHost, busPort, safety, fingerprint);
    }

    private static void requireShort(String key, String text) {
        requireAtMost(MAX_LENGTH, key, text);
    }

    private static void requireAtMost(int longest, String key, String text) {
        if (text.length() > longest) {
            throw new IllegalArgumentException(
                    key + ": " + text.length() + " characters are too many; at most " + longest);
        }
    }
}
