package io.shardbus.membership;

import io.shardbus.model.NodeId;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Names for nodes, a new one at every start. If a process came back under its old name, the clean-up after its
 * predecessor would delete its event-bus registrations.
 */
final class NodeNames {
    private NodeNames() {}

    /** A name with a {@link HostMark}, and 20 hexadecimal digits of a random UUID. */
    private static final Pattern MARKED = Pattern.compile(".*-h([0-9a-f]{12})-[0-9a-f]{20}", Pattern.DOTALL);

    /**
     * The prefix, by which people know the node, the host mark, and so much of a random UUID that names do not repeat.
     */
    static String unique(String prefix) {
        return named(prefix, HostMark.own());
    }

    static String named(String prefix, String mark) {
        var uuid = UUID.randomUUID().toString();
        var marked = mark.isEmpty() ? prefix : prefix + "-h" + mark;
        return marked + "-" + uuid.substring(0, 8) + uuid.substring(24);
    }

    /** The name of every node with a {@link ShardbusClusterManager}: it ends with 20 hexadecimal digits. */
    private static final Pattern UNIQUE = Pattern.compile(".*-[0-9a-f]{20}", Pattern.DOTALL);

    /** What JGroups shows of a member whose name it has not heard yet. */
    private static final Pattern UNNAMED =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

    /** Whether a member with this name has another cluster manager: its name is none that {@link #unique} makes. */
    static boolean isForeign(String name) {
        return !UNIQUE.matcher(name).matches() && !UNNAMED.matcher(name).matches();
    }

    /** The {@link HostMark} in the name of a node; empty if the name has none. */
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
