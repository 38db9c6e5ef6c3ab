package io.shardbus.options;

import java.util.OptionalInt;
import java.util.regex.Pattern;

/** Address of a peer of the cluster: a host and perhaps a port. An IPv6 address with a port stands in brackets. */
public record Peer(String host, OptionalInt port) {
    private static final Pattern SYNTAX =
            Pattern.compile("(?:\\[([\\da-fA-F:.%]+)]|([^\\s,:\\[\\]]+))(?::(\\d{1,5}))?");

    public static Peer parse(String text) {
        var matcher = SYNTAX.matcher(text);
        if (!matcher.matches()) {
            throw invalid(text);
        }
        var host = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
        if (matcher.group(3) == null) {
            return new Peer(host, OptionalInt.empty());
        }
        var port = Integer.parseInt(matcher.group(3));
        if (port < 1 || port > 65_535) {
            throw invalid(text);
        }
        return new Peer(host, OptionalInt.of(port));
    }

    public static boolean isValid(String text) {
        var matcher = SYNTAX.matcher(text);
        return matcher.matches() && (matcher.group(3) == null || isPort(Integer.parseInt(matcher.group(3))));
    }

    private static boolean isPort(int port) {
        return port >= 1 && port <= 65_535;
    }

    /** The form that JGroups reads: {@code host[port]}. */
    public String inJGroupsForm() {
        return host + "[" + port.orElse(ClusterOptions.DEFAULT_PORT) + "]";
    }

    /** The form of seats: with a port, this one if none is given, and an IPv6 address in brackets. */
    public String named(int portOtherwise) {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port.orElse(portOtherwise);
    }

    public static boolean isLoopback(String host) {
        return host.equals("localhost")
                || host.startsWith("127.")
                || host.equals("::1")
                || host.equalsIgnoreCase("loopback");
    }

    private static IllegalArgumentException invalid(String text) {
        return new IllegalArgumentException("peers: \"" + text
                + "\" is not allowed; allowed: host or host:port with a port from 1 to 65535, an IPv6 "
                + "address as [::1]:7800");
    }
}
