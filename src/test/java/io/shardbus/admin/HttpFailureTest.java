package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.FailureCode;
import io.shardbus.ShardingException;
import io.vertx.core.json.JsonObject;
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
        assertTrue(Set.of(400, 404, 500, 503, 504).contains(failure.status()));
        assertEquals(new JsonObject().put("error", code.name()).put("message", "why"), failure.toJson());
    }

    @ParameterizedTest
    @CsvSource({
        "INVALID_ID, 400",
        "UNKNOWN_TYPE, 404",
        "UNKNOWN_NODE, 404",
        "TIMED_OUT, 504",
        "REGION_BUFFER_FULL, 503",
        "MAILBOX_FULL, 503",
        "SHUTTING_DOWN, 503",
        "NOT_IN_MAJORITY, 503",
        "OUTCOME_UNKNOWN, 503",
        "ENTITY_FAILED, 500"
    })
    void saysWhoseFaultItIs(FailureCode code, int status) {
        assertEquals(status, HttpFailure.of(new ShardingException(code, "")).status());
    }

    @Test
    void hidesNothingOfAnUnknownFailure() {
        assertEquals(new HttpFailure(500, "INTERNAL", "broken"), HttpFailure.of(new IllegalStateException("broken")));
        assertEquals(
                "NullPointerException",
                HttpFailure.of(new NullPointerException()).message());
    }
}
