package io.shardbus.runtime.entity;

import io.shardbus.model.FailureCode;

/** Failure of an ask for a reason of Shardbus, not of the entity: the asker gets this code. */
public final class CodedFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final FailureCode code;

    public CodedFailure(FailureCode code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    public FailureCode code() {
        return code;
    }

    /** The text {@code what: why}, with the message of the cause; without one, with the cause itself. */
    public static String because(String what, Throwable why) {
        return what + ": " + (why.getMessage() == null ? why.toString() : why.getMessage());
    }
}
