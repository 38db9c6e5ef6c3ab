package io.shardbus.persistence.spi;

/** Failure of a store. Its text is for operators: no passwords, no payloads. */
public final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Kind kind;

    /** Kind of a failed call of the store. */
    public enum Kind {
        /**
         * The connection was lost, or there was no answer in time: a write may be stored, become so later, or never.
         * The store has closed the connection, all its calls that are under way fail so, and the next call connects
         * again. What was written is known after the log is opened again.
         */
        UNREACHABLE,
        /** Nothing of the call is stored, and the same call may succeed: a deadlock, a serialization failure. */
        REPEAT,
        /** Nothing of the call is stored: a row of it breaks a rule of the store, such as a size or a key. */
        ROW_REFUSED,
        /** Nothing of the call is stored, and the store takes no writes: disk full, read only. */
        BLOCKED,
        /** The store has a schema, or knows the type in a form, that this release or this node cannot use. */
        INCOMPATIBLE
    }

    public StoreException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public StoreException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
