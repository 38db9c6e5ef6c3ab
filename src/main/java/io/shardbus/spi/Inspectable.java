package io.shardbus.spi;

import io.vertx.core.json.JsonObject;

/**
 * Implemented by an {@link io.shardbus.Entity} that shows its state to operators, through {@code
 * ClusterOperations.inspect} and the admin resources, where {@code AdminOptions.setStateInspection} allows it.
 */
public interface Inspectable {
    /**
     * The state as it may be seen: leave out what is secret. Called as a message is handled, between two of them and
     * before those that wait; must not block unless the entity's code runs on threads of its own. What it throws fails
     * the request and nothing else.
     *
     * @return at most 256 KiB of text
     */
    JsonObject inspect();
}
