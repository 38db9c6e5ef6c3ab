package io.shardbus.spi;

/**
 * Implemented by an {@link io.shardbus.Entity} that holds a resource, such as a connection or a verticle, which must
 * not outlive the instance.
 */
public interface Discardable {
    /**
     * Releases the resources of the instance. Called when the instance has stopped, when it has failed and is replaced,
     * and when it was stopped by force before {@link io.shardbus.Entity#stopping} was called or completed. Called once,
     * after all other calls, on the entity's event loop; must not block. An exception is logged.
     */
    void discarded();
}
