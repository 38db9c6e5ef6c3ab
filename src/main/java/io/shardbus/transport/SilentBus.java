package io.shardbus.transport;

import io.vertx.core.Vertx;

/**
 * For tests with several nodes in one process: a node from which, and to which, nothing goes over the event bus any
 * more.
 */
public final class SilentBus {
    private SilentBus() {}

    /** Drops what the node sends and what comes to it, from now on. */
    public static void silence(Vertx node) {
        node.eventBus().addOutboundInterceptor(dropped -> {});
        node.eventBus().addInboundInterceptor(dropped -> {});
    }
}
