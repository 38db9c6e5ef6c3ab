package io.shardbus.transport;

import io.vertx.core.Vertx;

/** For tests with several nodes in one process: cuts a node off from the event bus in both directions. */
public final class SilentBus {
    private SilentBus() {}

    /** Drops all messages from and to the node from now on. */
    public static void silence(Vertx node) {
        node.eventBus().addOutboundInterceptor(dropped -> {});
        node.eventBus().addInboundInterceptor(dropped -> {});
    }
}
