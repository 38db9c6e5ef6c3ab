package io.shardbus.integration.split;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Of three nodes two leave in good order, and start again where they do not reach the one that stayed: as many as a
 * majority.
 */
class TwoMajoritiesIT {
    @Test
    @DisplayName("a cluster that goes on with its last node keeps others from founding a second one")
    void whileTheLastOneGoesOnNoOtherClusterIsFounded() {
        var options = TestCluster.options().setAwaitPredecessorLeases(true).setMinimumMembers(2);
        EntityDefinition<String> type = LoneNode.texts(id -> new Entity<>() {
            @Override
            public Future<?> receive(String message, EntityContext<String> context) {
                return reply(context.node() + " " + context.token());
            }
        });
        try (var first = new TestCluster().start(3, options)) {
            first.startType(type);
            first.untilMembers(3);
            answer(first.node(2), type);
            first.leave(first.node(0));
            first.leave(first.node(0));
            first.untilMembers(1);
            String home = answer(first.node(0), type);
            try (var second = new TestCluster(first.name(), List.of()).start(2, options)) {
                // its start completes when there is a coordinator
                var started = second.nodes().stream()
                        .map(node -> node.sharding().start(type))
                        .toList();
                second.untilMembers(2);
                var apart = second.node(0);
                String seat = "127.0.0.1_" + first.node(0).port();
                until(
                        "the node that starts says which seat it misses",
                        () -> apart.sharding().notReadyReasons().toString().contains(seat));
                assertFalse(apart.sharding().isReady());
                assertFalse(await(ask(apart, type, Duration.ofSeconds(5))
                        .map(answered -> true)
                        .otherwise(false)));
                assertEquals(home, answer(first.node(0), type));

                first.leave(first.node(0));
                started.forEach(TestCluster::await);
                until("the others found a cluster", apart.sharding()::isReady);
                assertFalse(answer(apart, type).equals(home));
            }
        }
    }

    private static Future<String> ask(TestCluster.Node from, EntityDefinition<String> type, Duration timeout) {
        return from.sharding().entityRef(type.type(), "one").request("where", String.class, timeout);
    }

    private static String answer(TestCluster.Node from, EntityDefinition<String> type) {
        return await(ask(from, type, Duration.ofSeconds(30)));
    }
}
