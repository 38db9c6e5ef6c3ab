package io.shardbus.persistence.spi;

/**
 * A type in a store.
 *
 * @param number the store's own number for this type name
 * @param layout 1 for the first number of shards and addressing, one more after each change of them
 */
public record StoredType(int number, int layout) {}
