package io.shardbus.persistence.spi;

/**
 * A type in a store.
 *
 * @param number the store's own for this type name
 * @param layout 1 for the first number of shards and addressing, one more for each other that followed
 */
public record StoredType(int number, int layout) {}
