package io.shardbus.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.protocol.Query;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.DeadLetter;
import io.shardbus.model.NodeId;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Dead letters between nodes. */
class DeadLetterJsonTest {
    private static final QueryAnswer.DeadLetters ANSWER = new QueryAnswer.DeadLetters(List.of(
            new DeadLetter(new NodeId("b"), 5_000_000_000L, "cart", 7, "c1", "Add", "MAILBOX_FULL", "it is full")));

    private static QueryAnswer read(JsonObject json) {
        return QueryJson.answer(new Query.DeadLettersOf(), new JsonObject(json.encode()));
    }

    @Test
    void theAnswerIsReadAsItWasWritten() {
        assertEquals(ANSWER, read(QueryJson.write(ANSWER)));
        assertEquals(new Query.DeadLettersOf(), QueryJson.query(QueryJson.write(new Query.DeadLettersOf())));
    }

    @Test
    void anEarlierBuildSaysNothing() {
        assertEquals(new QueryAnswer.DeadLetters(List.of()), read(new JsonObject()));
    }
}
