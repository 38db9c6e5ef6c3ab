package io.shardbus.spi;

import io.vertx.core.json.JsonObject;

/**
 * Implemented by an {@link io.shardbus.Entity} that shows its state to operators, through {@code
 * ClusterOperations.inspect} and the admin resources, where {@code AdminOptions.setStateInspection} allows it.
 */
public interface Inspectable {
    /**
     * The state as operators may see it: leave out secrets. Called on the thread on which messages are handled, between
     * two messages and before the waiting ones; must not block if the entity's code runs on the event loop ({@code
     * ExecutionModel.EVENT_LOOP}). An exception fails the request only.
     *
     * @return at most 256 KiB of text
     */
    JsonObject inspect();
}
