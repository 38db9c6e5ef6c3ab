package io.shardbus.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.protocol.Query;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.ConnectionReport.Connection;
import io.shardbus.model.ConnectionReport.Flow;
import io.shardbus.model.ConnectionReport.Links;
import io.shardbus.model.ConnectionReport.OfNode;
import io.shardbus.model.ConnectionReport.Outbox;
import io.shardbus.model.NodeId;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Connections between nodes. */
class ConnectionJsonTest {
    private static final Connection ONE = new Connection(
            "counter",
            new NodeId("b"),
            new Links(8, 3),
            new Flow(5_000_000_000L, 6_000_000_000L),
            new Flow(1, 2),
            new Outbox(3, 4, 5, 6),
            17,
            -1);
    private static final QueryAnswer.Connections ANSWER =
            new QueryAnswer.Connections(new OfNode(true, true, List.of(ONE)));

    private static QueryAnswer read(JsonObject json) {
        return QueryJson.answer(new Query.ConnectionsOf(), new JsonObject(json.encode()));
    }

    @Test
    void theAnswerIsReadAsItWasWritten() {
        assertEquals(ANSWER, read(QueryJson.write(ANSWER)));
        assertEquals(new Query.ConnectionsOf(), QueryJson.query(QueryJson.write(new Query.ConnectionsOf())));
    }

    @Test
    void anEarlierBuildSaysNothing() {
        assertEquals(new QueryAnswer.Connections(new OfNode(false, false, List.of())), read(new JsonObject()));
    }
}
