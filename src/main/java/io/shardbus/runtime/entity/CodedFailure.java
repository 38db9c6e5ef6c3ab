package io.shardbus.runtime.entity;

import io.shardbus.model.FailureCode;

/** The failure of an ask that is none of the entity's code: the asker gets this code. */
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
}
