package io.shardbus.persistence.spi;

/** Failure of a store. Its text is for operators: no passwords, no payloads. */
public final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Kind kind;

    /** Kind of a failed call of the store. */
    public enum Kind {
        /**
         * The connection was lost, or no answer came in time: a write may be stored, may be stored later, or never. The
         * store has closed the connection, all its calls under way fail in this way, and the next call connects again.
         * The next opening of the log shows what was written.
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
