package io.shardbus.spi;

/**
 * Implemented by an {@link io.shardbus.Entity} that holds something outside itself, such as a connection or a verticle,
 * which must not outlive it.
 */
public interface Discardable {
    /**
     * The instance is let go: it has stopped, has failed and is replaced, or was stopped by force without
     * {@link io.shardbus.Entity#stopping} having been called or completed. Called once, last of all, on the entity's
     * event loop; must not block. What it throws is logged.
     */
    void discarded();
}
