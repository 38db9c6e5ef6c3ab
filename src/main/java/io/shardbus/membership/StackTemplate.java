package io.shardbus.membership;

import io.shardbus.options.ClusterOptions;
import io.shardbus.options.Peer;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A JGroups stack with placeholders for the cluster options: <code>${shardbus.cluster.bindAddress:127.0.0.1}</code> is
 * replaced by the option, else by the system property of that name, else by the text after the colon. Other variables
 * are left to JGroups.
 */
final class StackTemplate {
    private static final Pattern PLACE = Pattern.compile("\\$\\{shardbus\\.cluster\\.(\\w+)(?::([^}]*))?}");

    private StackTemplate() {}

    /** @throws IllegalArgumentException if the stack needs an option that is not set */
    static String fill(String name, String stack, ClusterOptions options) {
        var values = values(options);
        return PLACE.matcher(stack).replaceAll(place -> {
            var key = place.group(1);
            var value = firstOf(values.get(key), System.getProperty("shardbus.cluster." + key), place.group(2));
            if (value == null) {
                throw new IllegalArgumentException(missing(name, key));
            }
            return Matcher.quoteReplacement(value);
        });
    }

    private static Map<String, String> values(ClusterOptions options) {
        var values = new HashMap<String, String>();
        var address = options.getBindAddress();
        var port = options.getBindPort();
        var peers = options.getPeers().stream().map(Peer::parse).toList();
        if (address != null) {
            values.put("bindAddress", address);
        }
        if (port != 0) {
            values.put("bindPort", Integer.toString(port));
            values.put("portRange", "0");
        }
        if (!peers.isEmpty()) {
            values.put("peers", peers.stream().map(Peer::inJGroupsForm).collect(Collectors.joining(",")));
            values.put("peerHosts", peers.stream().map(Peer::host).distinct().collect(Collectors.joining(",")));
            if (peers.stream().allMatch(peer -> peer.port().isPresent())) {
                values.put("peerPortRange", "0");
            }
        }
        return values;
    }

    private static String missing(String name, String key) {
        var option = key.startsWith("peer") ? "peers" : key;
        return option + ": not set, but the JGroups stack " + name + " needs it; set it in the cluster options, or the"
                + " system property shardbus.cluster." + key;
    }

    private static @Nullable String firstOf(@Nullable String... candidates) {
        for (var candidate : candidates) {
            if (candidate != null) {
                return candidate;
            }
        }
        return null;
    }
}
