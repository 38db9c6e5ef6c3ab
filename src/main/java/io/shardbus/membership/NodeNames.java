package io.shardbus.membership;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;

/**
 * Names for nodes, another at every start. A process that came back under its old name would lose its bus registrations
 * to the clean-up after its predecessor.
 */
final class NodeNames {
    private NodeNames() {}

    /** The prefix, so that people know the node, and enough of a random UUID that no two starts share a name. */
    static String unique(String prefix) {
        var uuid = UUID.randomUUID().toString();
        return prefix + "-" + uuid.substring(0, 8) + uuid.substring(24);
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
