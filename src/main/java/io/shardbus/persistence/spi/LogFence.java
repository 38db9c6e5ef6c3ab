package io.shardbus.persistence.spi;

import io.shardbus.model.FencingToken;

/**
 * The right of a home to write to a log: a write is stored only where the log's token and opening are these.
 *
 * @param log the store's number of the log
 * @param token with which it was opened
 * @param opening what {@link OpenedLog.Open} said
 */
public record LogFence(int log, FencingToken token, long opening) {}
