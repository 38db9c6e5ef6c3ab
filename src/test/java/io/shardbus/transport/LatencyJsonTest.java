package io.shardbus.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.protocol.Query;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.LatencyReport.HotEntity;
import io.shardbus.model.LatencyReport.Kind;
import io.shardbus.model.LatencyReport.OfType;
import io.shardbus.model.LatencyReport.Outcome;
import io.shardbus.model.LatencyReport.Series;
import io.shardbus.model.LatencyReport.SlowAsk;
import io.shardbus.model.TimeHistogram;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Latencies between nodes. */
class LatencyJsonTest {
    private static final Series SERIES = new Series(
            Kind.ASK_REMOTE,
            "Add",
            Outcome.TIMED_OUT,
            TimeHistogram.EMPTY,
            new TimeHistogram(Map.of(17L, 3L, 10_000_000_000L, 1L)),
            new TimeHistogram(Map.of(17L, 4L, 10_000_000_000L, 1L)));
    private static final SlowAsk ASK = new SlowAsk(
            5_000_000_000L, "Add", "e1", Map.of("traceparent", "00-a-b-01"), Outcome.FAILED, true, 77, "MAILBOX_FULL");
    private static final HotEntity HOT = new HotEntity("e1", 7, 1234.5, 0.25);
    private static final QueryAnswer.Latency ANSWER =
            new QueryAnswer.Latency(Map.of("counter", new OfType(16, List.of(SERIES), List.of(ASK), List.of(HOT))));

    private static QueryAnswer read(JsonObject json) {
        return QueryJson.answer(new Query.LatencyOf(), new JsonObject(json.encode()));
    }

    @Test
    void theAnswerIsReadAsItWasWritten() {
        assertEquals(ANSWER, read(QueryJson.write(ANSWER)));
        assertEquals(new Query.LatencyOf(), QueryJson.query(QueryJson.write(new Query.LatencyOf())));
    }

    @Test
    void kindsOfALaterBuildAreLeftOut() {
        var json = QueryJson.write(ANSWER);
        JsonArray series = json.getJsonObject("counter").getJsonArray("series");
        series.add(series.getJsonObject(0).copy().put("kind", "OF_A_LATER_BUILD"));
        assertEquals(ANSWER, read(json));
    }

    @Test
    void anEarlierBuildSaysNothing() {
        assertEquals(new QueryAnswer.Latency(Map.of()), read(new JsonObject()));
    }
}
