package io.shardbus.simulation;

/** A promise that was broken. */
public final class Violation extends AssertionError {
    private static final long serialVersionUID = 1L;

    /** Which promise. */
    public enum Kind {
        LIVE_TWICE,
        NO_LEASE,
        TOKEN,
        AFTER_STOP,
        EXECUTED_TWICE,
        ORDER,
        LOST,
        WRONG_END,
        PLANNED_FAILURE,
        BUFFER,
        LATE_END,
        SILENCE,
        HISTORY,
        FORGOTTEN,
        STATE,
        /** A rule that others back up: nothing had gone wrong for an entity yet. */
        RULE,
        UNREST,
        EXCEPTION
    }

    private final Kind kind;

    public Violation(Kind kind, String message) {
        super(kind + ": " + message);
        this.kind = kind;
    }

    Violation(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** Throws what code of the simulation has thrown, where the machine would have gone on. */
    public static void report(Throwable fault) {
        if (fault instanceof RuntimeException exception) {
            throw exception;
        }
        throw fault instanceof Error error ? error : new AssertionError(fault);
    }

    public Kind kind() {
        return kind;
    }
}
