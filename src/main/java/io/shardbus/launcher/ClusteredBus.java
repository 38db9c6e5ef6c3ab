package io.shardbus.launcher;

import io.vertx.core.eventbus.EventBusOptions;

/** The event bus between nodes, tuned to notice dead peers in seconds instead of a minute. */
final class ClusteredBus {
    private static final int CONNECT_TIMEOUT_MS = 2000;
    private static final long PING_INTERVAL_MS = 3000;

    private ClusteredBus() {}

    static EventBusOptions options() {
        return new EventBusOptions()
                .setConnectTimeout(CONNECT_TIMEOUT_MS)
                .setClusterPingInterval(PING_INTERVAL_MS)
                .setClusterPingReplyInterval(PING_INTERVAL_MS);
    }
}
