package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ShardingException;
import io.shardbus.model.FailureCode;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.handler.HttpException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class HttpFailureTest {
    @ParameterizedTest
    @EnumSource
    void everyCodeHasAStatusAndKeepsItsName(FailureCode code) {
        var failure = HttpFailure.of(new ShardingException(code, "why"));
        assertTrue(Set.of(400, 404, 409, 500, 503, 504).contains(failure.status()));
        assertEquals(new JsonObject().put("error", code.name()).put("message", "why"), failure.toJson());
    }

    @ParameterizedTest
    @CsvSource({
        "INVALID_ID, 400",
        "UNKNOWN_TYPE, 404",
        "UNKNOWN_NODE, 404",
        "UNKNOWN_SHARD, 404",
        "LAST_SEAT, 409",
        "INVALID_ANSWER, 500",
        "INTERNAL_MESSAGE, 400",
        "TIMED_OUT, 504",
        "REGION_BUFFER_FULL, 503",
        "MAILBOX_FULL, 503",
        "SHUTTING_DOWN, 503",
        "NOT_IN_MAJORITY, 503",
        "OUTCOME_UNKNOWN, 503",
        "DATA_CENTER_UNREACHABLE, 503",
        "COMMAND_TOO_OLD, 409",
        "COMMAND_ID_REUSED, 409",
        "DELIVERY_REFUSED, 400",
        "COMMAND_TOO_EARLY, 400",
        "DELIVERY_GAP, 409",
        "NOT_APPLICABLE, 409",
        "ENTITY_FAILED, 500"
    })
    void saysWhoseFaultItIs(FailureCode code, int status) {
        assertEquals(status, HttpFailure.of(new ShardingException(code, "")).status());
    }

    @Test
    void keepsTheStatusThatAHandlerChose() {
        assertEquals(new HttpFailure(401, "UNAUTHORIZED", "Unauthorized"), HttpFailure.of(401, new HttpException(401)));
        assertEquals(
                new HttpFailure(403, "FORBIDDEN", "operators only"),
                HttpFailure.of(403, new HttpException(403, "operators only")));
        assertEquals(
                new HttpFailure(503, "SERVICE_UNAVAILABLE", "later"),
                HttpFailure.of(503, new IllegalStateException("later")));
        assertEquals(new HttpFailure(404, "NOT_FOUND", "Not Found"), HttpFailure.of(404, new NullPointerException()));
        assertEquals(new HttpFailure(429, "TOO_MANY_REQUESTS", "Too Many Requests"), HttpFailure.of(429, null));
        assertEquals(new HttpFailure(500, "INTERNAL", "Internal Server Error"), HttpFailure.of(500, null));
        var timeout = new ShardingException(FailureCode.TIMED_OUT, "late");
        assertEquals(HttpFailure.of(timeout), HttpFailure.of(500, timeout));
    }

    @Test
    void hidesNothingOfAnUnknownFailure() {
        assertEquals(new HttpFailure(500, "INTERNAL", "broken"), HttpFailure.of(new IllegalStateException("broken")));
        assertEquals(
                "NullPointerException",
                HttpFailure.of(new NullPointerException()).message());
    }
}
