package io.shardbus.persistence.spi;

/**
 * Which store it is.
 *
 * @param id made when the store was; different for two stores, the same for all connections and processes of one
 * @param highestTerm the highest term of a token that opened a log, 0 if none did
 */
public record StoreIdentity(String id, long highestTerm) {}
