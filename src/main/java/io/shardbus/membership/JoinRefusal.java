package io.shardbus.membership;

import io.shardbus.options.ClusterOptions;
import java.net.BindException;
import java.net.UnknownHostException;
import java.util.Objects;

/**
 * Why a node cannot join its cluster, in one line that names the option to change: what Infinispan says has the whole
 * stack in it.
 */
final class JoinRefusal {
    private JoinRefusal() {}

    static IllegalStateException of(Throwable failure, ClusterOptions options) {
        Throwable deepest = failure;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        var reason = Objects.requireNonNullElse(deepest.getMessage(), deepest.toString());
        var line = reason.lines().findFirst().orElse(reason);
        return new IllegalStateException(
                "the cluster cannot be joined: " + line + advice(deepest, line, options), deepest);
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
            return "; Infinispan fails so where the members that run are the stopped side of a split, whose /health/ready is DOWN:"
                    + " if they are, stop all nodes before you start one";
        }
        return "";
    }
}
