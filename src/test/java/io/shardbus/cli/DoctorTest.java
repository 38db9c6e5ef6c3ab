package io.shardbus.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("While no coordinator answers, the doctor")
class DoctorTest {
    private static final JsonObject HEALTH =
            new JsonObject().put("reasons", new JsonArray()).put("warnings", new JsonArray());

    private final FakeNode node = new FakeNode();

    @AfterEach
    void stop() {
        node.close();
    }

    private static JsonObject member(String id) {
        return new JsonObject().put("id", id).put("appVersion", "1");
    }

    private static JsonObject process(long lagMs, long clock, String java) {
        return new JsonObject()
                .put("answers", true)
                .put("unheardMs", new JsonObject())
                .put("loopLagMs", lagMs)
                .put("heapUsedMb", 10)
                .put("heapMaxMb", 100)
                .put("clock", clock)
                .put("versions", new JsonObject().put("java", java));
    }

    @BeforeEach
    void answer() {
        node.answersAtMount("/health/ready", HEALTH)
                .answersAtMount("/health/live", HEALTH)
                .answers(
                        "/cluster",
                        new JsonObject()
                                .put("self", "a")
                                .put("coordinator", "c")
                                .put("available", true)
                                .put("nodes", JsonArray.of(member("a"), member("b"), member("c"))))
                .refuses("/overview", 503, "no coordinator answers")
                .answers("/types", new JsonObject().put("types", new JsonArray()))
                .answers("/snapshot", new JsonObject().put("options", new JsonObject()));
    }

    private List<String> findings(String check) {
        CommandRun run = node.run("doctor", "--json");
        assertEquals(ExitCode.PROBLEM.code(), run.code(), run::toString);
        Stream<JsonObject> found = ClusterView.objects(new JsonObject(run.out()), "findings");
        return found.filter(finding -> finding.getString("check").equals(check))
                .map(finding -> finding.getString("level") + " " + finding.getString("text"))
                .toList();
    }

    @Test
    @DisplayName("names the node that is frozen, and looks at lag, versions and clocks of the others")
    void looksAtTheProcesses() {
        JsonObject a = process(0, 50_000, "17").put("unheardMs", new JsonObject().put("c", 9_000));
        var nodes = new JsonObject(
                Map.of("a", a, "b", process(700, 20_000, "21"), "c", new JsonObject().put("answers", false)));
        node.answers("/nodes", new JsonObject().put("nodes", nodes));
        assertEquals(List.of("problem c does not answer: no coordinator answers (503)"), findings("coordinator"));
        assertEquals(
                List.of(
                        "ok 3 nodes",
                        "problem a has heard nothing of c for 9000 ms",
                        "warning the event loop of b was 700 ms late",
                        "problem c did not answer within a second"),
                findings("peers"));
        assertEquals(List.of("warning java differs: {17=[a], 21=[b]}"), findings("versions"));
        assertEquals(1, findings("clocks").size());
        assertTrue(
                findings("clocks").get(0).startsWith("warning "),
                () -> findings("clocks").toString());
    }

    @Test
    @DisplayName("says so where the node cannot ask the others either")
    void theNodeCannotAsk() {
        node.refuses("/nodes", 503, "the node is not started");
        assertEquals(
                List.of("problem the node does not tell how the processes of the nodes are doing:"
                        + " the node is not started (503)"),
                findings("peers"));
        assertEquals(List.of(), findings("versions"));
    }
}
