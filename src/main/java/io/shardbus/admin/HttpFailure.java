package io.shardbus.admin;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.shardbus.ShardingException;
import io.shardbus.model.FailureCode;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.handler.HttpException;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Failure as an HTTP response: a status, and a body {@code {"error": code, "message": text}}.
 *
 * @param status the HTTP status
 * @param error a code that programs compare, such as the name of a {@link FailureCode}
 * @param message a sentence for people
 */
public record HttpFailure(int status, String error, String message) {
    private static final int INTERNAL = 500;

    public HttpFailure {
        Objects.requireNonNull(error, "error");
        Objects.requireNonNull(message, "message");
    }

    /**
     * 400 for a wrong request, 404 for an unknown type, shard or node, 409 for a request that does not apply to it, 504
     * for a timeout, 503 for a failure that may pass, 500 for any other.
     */
    public static HttpFailure of(Throwable failure) {
        if (failure instanceof ShardingException sharding) {
            return new HttpFailure(status(sharding.code()), sharding.code().name(), text(failure));
        }
        return new HttpFailure(INTERNAL, "INTERNAL", text(failure));
    }

    /**
     * Translates the failure of a handler: the status that it chose, under the status's own name, or as {@link
     * #of(Throwable)} says.
     */
    static HttpFailure of(int status, @Nullable Throwable failure) {
        var reason = HttpResponseStatus.valueOf(status).reasonPhrase();
        if (status == INTERNAL) {
            return failure == null ? new HttpFailure(status, "INTERNAL", reason) : of(failure);
        }
        return new HttpFailure(
                status, reason.toUpperCase(Locale.ROOT).replaceAll("[^A-Z]+", "_"), message(failure, reason));
    }

    private static String message(@Nullable Throwable failure, String reason) {
        if (failure == null) {
            return reason;
        }
        var message = failure instanceof HttpException http && http.getPayload() != null
                ? http.getPayload()
                : failure.getMessage();
        return message == null ? reason : message;
    }

    public static HttpFailure badRequest(String message) {
        return new HttpFailure(400, "BAD_REQUEST", message);
    }

    public static HttpFailure forbidden(String message) {
        return new HttpFailure(403, "FORBIDDEN", message);
    }

    public static HttpFailure notFound(String message) {
        return new HttpFailure(404, "NOT_FOUND", message);
    }

    public static HttpFailure conflict(String message) {
        return new HttpFailure(409, "CONFLICT", message);
    }

    public static HttpFailure unavailable(String message) {
        return new HttpFailure(503, "SERVICE_UNAVAILABLE", message);
    }

    public static HttpFailure methodNotAllowed(String message) {
        return new HttpFailure(405, "METHOD_NOT_ALLOWED", message);
    }

    public JsonObject toJson() {
        return new JsonObject().put("error", error).put("message", message);
    }

    /** The status of a failure code. */
    static int status(FailureCode code) {
        return switch (code) {
            case INVALID_ID,
                    INVALID_MESSAGE,
                    INTERNAL_MESSAGE,
                    PAYLOAD_TOO_LARGE,
                    PAYLOAD_NOT_ENCODABLE,
                    DELIVERY_REFUSED,
                    COMMAND_TOO_EARLY -> 400;
            case UNKNOWN_TYPE, UNKNOWN_NODE, UNKNOWN_SHARD -> 404;
            case LAST_SEAT, NOT_APPLICABLE, COMMAND_TOO_OLD, COMMAND_ID_REUSED, DELIVERY_GAP -> 409;
            case TIMED_OUT -> 504;
            case ENTITY_FAILED, PAYLOAD_NOT_DECODABLE, INVALID_ANSWER, STATE_UNREADABLE -> 500;
            case OUTCOME_UNKNOWN,
                    REGION_BUFFER_FULL,
                    TOO_MANY_NEW_ENTITIES,
                    MAILBOX_FULL,
                    SHUTTING_DOWN,
                    NOT_IN_MAJORITY,
                    ENTITY_STOPPED,
                    INCOMPATIBLE,
                    STORE_UNAVAILABLE,
                    SUPERSEDED,
                    DATA_CENTER_UNREACHABLE -> 503;
        };
    }

    private static String text(Throwable failure) {
        var message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }
}
