package io.shardbus.store;

/**
 * Stored bytes that are not what they should be: written by a release with another format, by another program, or cut
 * off. Reading them again gives the same answer.
 */
public final class UnreadableRecordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnreadableRecordException(String message) {
        super(message);
    }

    public UnreadableRecordException(String message, Throwable cause) {
        super(message, cause);
    }
}
