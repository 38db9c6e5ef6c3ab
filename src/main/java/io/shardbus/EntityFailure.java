package io.shardbus;

import java.util.Objects;

/**
 * An entity's refusal of one message, with a code of its own that reaches the sender on any node. It fails the ask
 * only: the instance goes on, and no restart policy applies.
 */
public class EntityFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String code;

    public EntityFailure(String code, String message) {
        super(message, null, false, false);
        this.code = Objects.requireNonNull(code, "code");
    }

    public String code() {
        return code;
    }
}
