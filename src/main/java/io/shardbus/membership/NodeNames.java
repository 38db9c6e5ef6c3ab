package io.shardbus.membership;

import io.shardbus.model.NodeId;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Names for nodes, another at every start. A process that came back under its old name would lose its bus registrations
 * to the clean-up after its predecessor.
 */
final class NodeNames {
    private NodeNames() {}

    /** A mark, and 20 digits of a random UUID. */
    private static final Pattern MARKED = Pattern.compile(".*-h([0-9a-f]{12})-[0-9a-f]{20}", Pattern.DOTALL);

    /** The prefix, so that people know the node, and enough of a random UUID that no two starts share a name. */
    static String unique(String prefix) {
        return named(prefix, HostMark.own());
    }

    static String named(String prefix, String mark) {
        var uuid = UUID.randomUUID().toString();
        var marked = mark.isEmpty() ? prefix : prefix + "-h" + mark;
        return marked + "-" + uuid.substring(0, 8) + uuid.substring(24);
    }

    /** The {@link HostMark} in the name of a node; empty if there is none. */
    static String hostMark(NodeId node) {
        var matcher = MARKED.matcher(node.value());
        return matcher.matches() ? matcher.group(1) : "";
    }

    /** The host's name without its domain. */
    static String host() {
        try {
            var name = InetAddress.getLocalHost().getHostName();
            var dot = name.indexOf('.');
            return dot > 0 && !Character.isDigit(name.charAt(0)) ? name.substring(0, dot) : name;
        } catch (UnknownHostException e) {
            return "node";
        }
    }
}
