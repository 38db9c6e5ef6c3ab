package io.shardbus.runtime.entity;

import io.shardbus.core.protocol.FaultText;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A request for the state of one instance, which answers in a turn of its own; requests that arrive meanwhile share the
 * answer.
 */
final class Inspection {
    private static final int MOST_CHARACTERS = 256 * 1024;
    /** An operator looks at the page, and the instance may be at a message for long. */
    private static final long DEADLINE_MS = 1_000;

    private final Promise<QueryAnswer.State> answer = Promise.promise();

    /** The answer of the instance, or its timeout. */
    Future<QueryAnswer.State> answer() {
        return answer.future()
                .timeout(DEADLINE_MS, TimeUnit.MILLISECONDS)
                .otherwise(late -> refusal(
                        FailureCode.TIMED_OUT, "no answer in " + DEADLINE_MS + " ms: it may be busy with a message"));
    }

    void answered(@Nullable Object shown, @Nullable Throwable failure) {
        if (failure != null) {
            answer.tryComplete(refusal(FailureCode.ENTITY_FAILED, "inspect failed: " + FaultText.whole(failure)));
        } else if (shown instanceof JsonObject json) {
            answer.tryComplete(state(json));
        } else {
            answer.tryComplete(refusal(FailureCode.ENTITY_FAILED, "inspect gave " + shown));
        }
    }

    private static QueryAnswer.State state(JsonObject json) {
        String text;
        try {
            text = json.encode();
        } catch (RuntimeException e) {
            return refusal(FailureCode.ENTITY_FAILED, "what inspect gave is no JSON: " + e);
        }
        return text.length() > MOST_CHARACTERS
                ? refusal(
                        FailureCode.PAYLOAD_TOO_LARGE,
                        "its state has " + text.length() + " characters, more than " + MOST_CHARACTERS)
                : new QueryAnswer.State(text, null, "", false);
    }

    /** The instance has ended before its turn came. */
    void ended() {
        answer.tryComplete(notLive());
    }

    static QueryAnswer.State notLive() {
        return refusal(FailureCode.NOT_APPLICABLE, "no instance of it is live, or it is about to end");
    }

    static QueryAnswer.State notInspectable() {
        return refusal(FailureCode.NOT_APPLICABLE, "its class does not implement Inspectable");
    }

    private static QueryAnswer.State refusal(FailureCode code, String text) {
        return new QueryAnswer.State(null, code, text, false);
    }
}
