package io.shardbus;

import io.shardbus.model.FailureCode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Failure of an ask, a start or a query, with its {@link FailureCode}. Carries no stack trace when it came from
 * another node.
 */
public class ShardingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final FailureCode code;
    private final @Nullable String entityCode;

    public ShardingException(FailureCode code, String message) {
        this(code, message, null, null);
    }

    public ShardingException(FailureCode code, String message, @Nullable Throwable cause) {
        this(code, message, null, cause);
    }

    public ShardingException(FailureCode code, String message, @Nullable String entityCode, @Nullable Throwable cause) {
        super(message, cause, false, cause != null);
        this.code = Objects.requireNonNull(code, "code");
        this.entityCode = entityCode;
    }

    public FailureCode code() {
        return code;
    }

    /** The entity's own code, if it failed with an {@link EntityFailure}; otherwise null. */
    public @Nullable String entityCode() {
        return entityCode;
    }

    /** The message with the code, and the entity's own if there is one: what {@code toString} shows. */
    @Override
    public String getLocalizedMessage() {
        return (entityCode == null ? code.name() : code + " (" + entityCode + ")") + ": " + getMessage();
    }
}
