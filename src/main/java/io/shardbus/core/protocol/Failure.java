package io.shardbus.core.protocol;

import io.shardbus.model.FailureCode;
import org.jspecify.annotations.Nullable;

/** Failure of a message, as it crosses the wire. */
public record Failure(
        FailureCode code, String message, @Nullable String entityCode) {
    public static Failure of(FailureCode code, String message) {
        return new Failure(code, message, null);
    }
}
