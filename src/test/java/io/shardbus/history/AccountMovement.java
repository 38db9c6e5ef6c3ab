package io.shardbus.history;

import org.jspecify.annotations.Nullable;

/**
 * A line of an account's statement: what is stored of the effect of a command.
 *
 * @param kind {@code deposit}, {@code withdraw} or {@code transfer}
 * @param amount what it adds to the balance
 * @param balance after it
 * @param other the account at the other end of a transfer
 */
public record AccountMovement(
        long sequenceNumber,
        String kind,
        long amount,
        long balance,
        @Nullable String other) {}
