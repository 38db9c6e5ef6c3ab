package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ClusterOperations;
import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.ClusterOverview;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.client.WebClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Failures, over HTTP,")
class FailureAdminTest {
    private static final EntityType<String> TYPE = EntityType.of("picky", String.class);

    private final LoneNode node = new LoneNode(TestCluster.options());
    private final WebClient client = WebClient.create(node.vertx());

    @BeforeEach
    void fail() {
        Await.result(node.sharding().start(EntityDefinition.of(TYPE, id -> (message, context) -> {
            throw new IllegalArgumentException("not this");
        })));
        node.sharding().entityRef(TYPE, "p1").tell("hidden text");
        node.sharding().entityRef(TYPE, "p1").tell("hidden text");
        Await.until(
                () -> "not two dead letters",
                () -> Await.result(node.sharding().operations().deadLetters())
                                .letters()
                                .size()
                        == 2);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private JsonObject failures(ClusterSharding sharding) {
        int port = Await.result(node.vertx()
                        .createHttpServer()
                        .requestHandler(AdminRouter.create(node.vertx(), sharding))
                        .listen(0, "127.0.0.1"))
                .actualPort();
        var answer =
                Await.result(client.get(port, "127.0.0.1", "/api/v1/failures").send());
        assertEquals(200, answer.statusCode(), answer::bodyAsString);
        return answer.bodyAsJsonObject();
    }

    @Test
    @DisplayName("are summed by type and code, with the dead letters beside them")
    void areSummed() {
        JsonObject failures = failures(node.sharding());
        List<JsonObject> counts = failures.getJsonArray("counts").stream()
                .map(JsonObject.class::cast)
                .toList();
        JsonObject letters = counts.stream()
                .filter(count -> count.getString("code").equals("dead_letters"))
                .findFirst()
                .orElseThrow(() -> new AssertionError(failures.encode()));
        assertEquals(
                new JsonObject()
                        .put("type", "picky")
                        .put("code", "dead_letters")
                        .put("count", 2)
                        .put(
                                "nodes",
                                new JsonObject().put(node.sharding().self().value(), 2)),
                letters);
        assertTrue(
                counts.stream().noneMatch(count -> FailureViews.WELL.contains(count.getString("code"))),
                failures::encode);
        assertEquals(2, failures.getJsonArray("letters").size());
        assertEquals(0, failures.getJsonArray("failed").size());
    }

    @Test
    @DisplayName("have the dead letters also while no coordinator answers, and say why the sums are missing")
    void needNoCoordinatorForDeadLetters() {
        var operations = LastEventsTest.replaced(
                ClusterOperations.class,
                node.sharding().operations(),
                "overview",
                given -> Promise.<ClusterOverview>promise().future());
        JsonObject failures = failures(
                LastEventsTest.replaced(ClusterSharding.class, node.sharding(), "operations", given -> operations));
        assertNull(failures.getValue("counts"));
        assertEquals("no answer within 2 s", failures.getString("trouble"));
        assertEquals(2, failures.getJsonArray("letters").size());
    }

    @Test
    @DisplayName("are the counters that are failures on the page")
    void areThoseOfThePage() throws IOException {
        String page = Files.readString(Path.of("src/main/resources/io/shardbus/admin/ui/views/failures.js"));
        String listed = page.substring(page.indexOf("const WELL"), page.indexOf("]);", page.indexOf("const WELL")));
        assertEquals(
                Pattern.compile("'(\\w+)'")
                        .matcher(listed)
                        .results()
                        .map(name -> name.group(1))
                        .collect(Collectors.toSet()),
                FailureViews.WELL);
    }
}
