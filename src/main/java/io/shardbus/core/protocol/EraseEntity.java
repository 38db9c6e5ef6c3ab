package io.shardbus.core.protocol;

/**
 * Payload of a request that ends what an entity has stored. It does not travel between nodes: the entity's home creates
 * it.
 */
public enum EraseEntity {
    REQUEST
}
