package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.admin.LatencyViews.Measure;
import io.shardbus.model.LatencyReport;
import io.shardbus.model.LatencyReport.HotEntity;
import io.shardbus.model.LatencyReport.OfType;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The list of hot entities")
class HotViewTest {
    private static final LatencyReport REPORT = new LatencyReport(
            Map.of(
                    "order", new OfType(64, List.of(), List.of(), List.of(new HotEntity("quick", 1, 900, 0.1))),
                    "report", new OfType(64, List.of(), List.of(), List.of(new HotEntity("slow", 2, 0.1, 0.9)))),
            Set.of());

    private static List<String> ids(Measure by) {
        return LatencyViews.hot(REPORT, by).getJsonArray("entities").stream()
                .map(entity -> ((JsonObject) entity).getString("id"))
                .toList();
    }

    @Test
    @DisplayName("has the entities of all types by messages, unless their busy time is asked for")
    void isRankedAsAskedFor() {
        assertEquals(List.of("quick", "slow"), ids(Measure.of(null)));
        assertEquals(List.of("quick", "slow"), ids(Measure.of("messages")));
        assertEquals(List.of("slow", "quick"), ids(Measure.of("busy")));
    }
}
