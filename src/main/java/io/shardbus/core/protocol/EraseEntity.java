package io.shardbus.core.protocol;

/** Payload of a request that ends what an entity has stored. It does not travel between nodes: its home makes it. */
public enum EraseEntity {
    REQUEST
}
