package io.shardbus.runtime.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.LatencyReport;
import io.shardbus.model.LatencyReport.HotEntity;
import io.shardbus.model.NodeId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LatencyQueriesTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final NodeId C = new NodeId("c");

    @Test
    void aHotEntityHasTheNodeThatHandledMostOfItsMessages() {
        LatencyReport report = LatencyQueries.merge(Map.of(
                A, answer(new HotEntity("moved", 1, 10, 0.1), new HotEntity("onA", 2, 30, 0.2)),
                B, answer(new HotEntity("moved", 1, 90, 0.4)),
                C, Optional.empty()));
        assertEquals(
                List.of(new HotEntity("moved", 1, 100, 0.5, B), new HotEntity("onA", 2, 30, 0.2, A)),
                report.types().get("t").hottest());
        assertEquals(Set.of(C), report.silent());
    }

    private static Optional<QueryAnswer.Latency> answer(HotEntity... hottest) {
        return Optional.of(new QueryAnswer.Latency(
                Map.of("t", new LatencyReport.OfType(1, List.of(), List.of(), List.of(hottest)))));
    }
}
