package io.shardbus.persistence.spi;

import io.shardbus.model.FencingToken;

/**
 * The right of a home to write to a log: a write is stored only if the log has this token and this opening.
 *
 * @param log the store's number of the log
 * @param token the token with which the log was opened
 * @param opening the number of that opening, from {@link OpenedLog.Open}
 */
public record LogFence(int log, FencingToken token, long opening) {}
