package io.shardbus.persistence.spi;

/**
 * Identity of a store.
 *
 * @param id made with the store; different for two stores, the same for all connections and processes of one store
 * @param highestTerm the highest term of a token that opened a log or claimed an offset, 0 if none did
 */
public record StoreIdentity(String id, long highestTerm) {}
