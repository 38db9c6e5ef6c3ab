package io.shardbus.history;

/**
 * A question for an account that was answered.
 *
 * @param sent in nanoseconds of the clients' JVM, as {@code answered}
 */
public record AccountReading(long sent, long answered, AccountState state) {}
