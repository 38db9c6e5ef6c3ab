package io.shardbus.transport;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.tracing.TracingPolicy;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Publishes on an address of the application's own, to all consumers that are there. Any thread. */
public final class Announcer {
    private final Vertx vertx;
    private final String address;

    public Announcer(Vertx vertx, String address) {
        this.vertx = vertx;
        this.address = address;
    }

    /** Hands a message to the event bus, which delivers it at most once to each consumer. */
    public void publish(Map<String, String> headers, @Nullable Buffer body) {
        DeliveryOptions options = new DeliveryOptions().setTracingPolicy(TracingPolicy.IGNORE);
        headers.forEach(options::addHeader);
        vertx.eventBus().publish(address, body, options);
    }
}
