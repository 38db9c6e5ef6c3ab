package io.shardbus.integration.moves;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Intervals that a definition gives, in place of those of the options. */
class TypeIntervalsIT {
    private static final int SHARDS = 8;

    private static EntityDefinition<String> definition(String type) {
        return EntityDefinition.of(
                        EntityType.of(type, String.class),
                        id -> (message, context) ->
                                Future.succeededFuture(context.node().value()))
                .withNumberOfShards(SHARDS)
                .withMessageExtractor(new ShardInId<>());
    }

    private static Set<NodeId> homes(TestCluster.Node asked, String type) {
        return await(asked.sharding().typeState(type)).shards().stream()
                .filter(shard -> shard.status() == TypeState.ShardStatus.ACTIVE)
                .map(TypeState.Shard::home)
                .collect(Collectors.toSet());
    }

    @Test
    @DisplayName(
            "A type's own rebalance interval replaces that of the options; the other type of the node keeps theirs")
    void rebalancesATypeInItsOwnTime() {
        try (TestCluster cluster = new TestCluster()) {
            var options = TestCluster.options().setRebalanceIntervalMs(0).setRebalanceRelativeLimit(1.0);
            var eager = definition("eager").withRebalanceInterval(Duration.ofMillis(100));
            var still = definition("still");
            TestCluster.Node first = cluster.startNode(options);
            cluster.startType(eager).startType(still);
            for (int shard = 0; shard < SHARDS; shard++) {
                for (var definition : Set.of(eager, still)) {
                    await(first.sharding()
                            .entityRef(definition.type(), "e" + shard)
                            .request("where", String.class, Duration.ofSeconds(20)));
                }
            }
            TestCluster.Node second = cluster.startNode(options);
            cluster.untilMembers(2);
            for (var definition : Set.of(still, eager)) {
                await(second.sharding().start(definition).compose(ShardRegion::ready));
            }
            until("shards of the eager type move", () -> homes(first, "eager").equals(Set.of(first.id(), second.id())));
            assertEquals(Set.of(first.id()), homes(first, "still"));
        }
    }
}
