package io.shardbus.membership;

import io.shardbus.options.ClusterOptions;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Translates a failed join into one line, which names the option to change if there is one: the text of Infinispan's
 * failure contains the whole JGroups stack.
 */
final class JoinRefusal {
    private static final Pattern LITERAL = Pattern.compile("[0-9.]+|[0-9a-fA-F:]*:[0-9a-fA-F:.]*");

    private JoinRefusal() {}

    static IllegalStateException of(Throwable failure, ClusterOptions options) {
        Throwable deepest = failure;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        var reason = Objects.requireNonNullElse(deepest.getMessage(), deepest.toString());
        var line = reason.lines().findFirst().orElse(reason);
        var refusal = "the cluster cannot be joined: " + line + advice(deepest, line, options);
        return deepest instanceof BindException ? oneLine(refusal) : new IllegalStateException(refusal, deepest);
    }

    /** Without a stack trace: it does not help where a port is taken, and Vert.x would log it. */
    private static IllegalStateException oneLine(String refusal) {
        var failure = new IllegalStateException(refusal);
        failure.setStackTrace(new StackTraceElement[0]);
        return failure;
    }

    /**
     * Checks that the port of the cluster is free, if the options name port and address: Infinispan would log two stack
     * traces if it is not. Blocks for a moment.
     *
     * @throws IOException if another process has the port
     */
    static void requireFreePort(ClusterOptions options) throws IOException {
        var address = Objects.requireNonNullElse(options.getBindAddress(), "127.0.0.1");
        boolean literal = LITERAL.matcher(address).matches()
                && (options.getBindAddress() != null || options.getJgroupsConfig() == null);
        if (options.getBindPort() == 0 || !literal) {
            return;
        }
        try (var socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(address, options.getBindPort()));
        } catch (BindException e) {
            if (String.valueOf(e.getMessage()).contains("in use")) {
                throw new BindException("another process has port " + options.getBindPort() + " of " + address);
            }
            // JGroups reports any other fault of the address
        }
    }

    /**
     * Checks that the first member of the view guards the caches: it makes a cache unavailable to the smaller side of a
     * cut only if it has the cache's configuration, which a node with another cluster manager has not. Both sides could
     * have a coordinator then.
     *
     * @param members the oldest first
     * @throws IllegalStateException if the first member has another cluster manager
     */
    static void requireGuard(List<String> members) {
        if (!members.isEmpty() && NodeNames.isForeign(members.get(0))) {
            throw new IllegalStateException("its first member " + members.get(0)
                    + " has another cluster manager than ShardbusClusterManager, so both sides of a cut could go on;"
                    + " build every Vertx of the cluster with ShardbusClusterManager");
        }
    }

    private static String advice(Throwable deepest, String reason, ClusterOptions options) {
        if (deepest instanceof BindException && reason.contains("port")) {
            int port = options.getBindPort();
            return "; change the option bindPort, which is " + (port == 0 ? "not set" : Integer.toString(port));
        }
        if (deepest instanceof BindException || deepest instanceof UnknownHostException) {
            var address = options.getBindAddress();
            return "; change the option bindAddress, which is " + (address == null ? "not set" : address);
        }
        if (deepest instanceof ClassCastException || deepest instanceof NullPointerException) {
            return "; Infinispan fails in this way if the running members are the stopped side of a split: their"
                    + " /health/ready is DOWN. Then start this node again once one of them is UP; if none is UP"
                    + " after a minute, stop all nodes before you start one";
        }
        return "";
    }
}
