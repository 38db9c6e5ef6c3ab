package io.shardbus.persistence.spi;

/** Result of a {@link LogOpening}. */
public sealed interface OpenedLog {
    /**
     * The log belongs to the token that opened it, until a token that is not lower opens it again.
     *
     * @param log the store's number of the log
     * @param opening how often the log was opened, this time included
     * @param end the position of its last row, 0 for none. Rows that were under way at the opening are either included,
     *     or will never be stored
     */
    record Open(int log, long opening, long end) implements OpenedLog {}

    /** A newer token has the log. Nothing has changed. */
    record Superseded() implements OpenedLog {}

    /** A newer layout of the type has begun: the log is closed for good. Nothing has changed. */
    record Sealed() implements OpenedLog {}
}
