package io.shardbus.simulation;

/** A promise that was broken. */
final class Violation extends AssertionError {
    private static final long serialVersionUID = 1L;

    Violation(String message) {
        super(message);
    }

    Violation(String message, Throwable cause) {
        super(message, cause);
    }
}
