package io.shardbus.integration.start;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.shardbus.integration.LogLines;
import io.shardbus.integration.TestCluster;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Types that wait for different numbers of nodes, and what is said meanwhile. */
class MinimumMembersIT {
    private final TestCluster cluster = new TestCluster();

    @AfterEach
    void close() {
        cluster.close();
    }

    private static EntityDefinition<String> echo(String name) {
        return EntityDefinition.of(
                EntityType.of(name, String.class), id -> (message, context) -> Future.succeededFuture(message));
    }

    private static ShardingOptions options(String role) {
        return TestCluster.options()
                .setRoles(List.of(role))
                .setMinimumMembers(3)
                .setMinimumMembersOfRole(Map.of("few", 1, "many", 2));
    }

    private static String ask(TestCluster.Node node, String type) {
        return await(node.sharding()
                .entityRef(EntityType.of(type, String.class), "e")
                .request("there", String.class, Duration.ofSeconds(20)));
    }

    @Test
    @DisplayName("a type waits for the minimum of its definition, of its role, or of all types, and says what for")
    void eachTypeHasItsMinimum() {
        TestCluster.Node few = cluster.startNode(options("few"));
        TestCluster.Node many = cluster.startNode(options("many"));
        List<EntityDefinition<String>> definitions = List.of(
                echo("of-few").withRole("few"),
                echo("of-many").withRole("many"),
                echo("of-all"),
                echo("own").withMinimumMembers(2));
        try (LogLines log = new LogLines("io.shardbus.runtime.control.CoordinatorCommandRunner")) {
            for (EntityDefinition<String> definition : definitions) {
                await(few.sharding().start(definition));
                await(many.sharding().start(definition));
            }
            assertEquals("there", ask(few, "of-few"));
            assertEquals("there", ask(many, "of-few"));
            assertEquals("there", ask(few, "own"));

            ShardRegion<?> waiting = few.sharding().region("of-many").orElseThrow();
            until("one more node of the role", () -> waiting.missingMembers() == 1);
            String reason = "the shards of 'of-many' get no home: 1 of 2 nodes that it waits for host it. Start it on 1"
                    + " more with role 'many', or lower its minimum (minimumMembers,"
                    + " minimumMembersOfRole, or that of its"
                    + " definition)";
            assertEquals(reason, waiting.waitsFor().orElseThrow());
            until(
                    "it is a reason on both",
                    () -> few.sharding().notReadyReasons().contains(reason)
                            && many.sharding().notReadyReasons().contains(reason));
            assertFalse(few.sharding().isReady());
            Future<Void> ready = waiting.ready();
            assertFalse(ready.isComplete());
            ShardRegion<?> all = many.sharding().region("of-all").orElseThrow();
            until("one more node of any role", () -> all.missingMembers() == 1);
            var early = few.sharding()
                    .entityRef(EntityType.of("of-many", String.class), "early")
                    .request("early", String.class, Duration.ofSeconds(50));
            until(
                    "one line in the log",
                    () -> log.with("1 of minimumMembers 2 are here").size() == 1);
            assertTrue(log.with("lower its minimum").get(0).startsWith("WARN"));

            TestCluster.Node third = cluster.startNode(options("many"));
            for (EntityDefinition<String> definition : definitions) {
                await(third.sharding().start(definition));
            }
            await(ready);
            assertEquals("early", await(early));
            assertEquals("there", ask(third, "of-all"));
            until(
                    "nothing is in the way",
                    () -> few.sharding().isReady()
                            && few.sharding().notReadyReasons().isEmpty());
            assertTrue(waiting.waitsFor().isEmpty());
        }
    }
}
