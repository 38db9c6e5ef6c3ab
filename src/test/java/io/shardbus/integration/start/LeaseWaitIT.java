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
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A type that is started while leases of a coordinator that has crashed may still hold. */
class LeaseWaitIT {
    private static EntityDefinition<String> echo(String type) {
        return EntityDefinition.of(
                EntityType.of(type, String.class), id -> (message, context) -> Future.succeededFuture(message));
    }

    @Test
    @DisplayName("Its region says that it waits for them, and for how long, where readiness and admin look")
    void saysThatItWaitsForLeases() {
        try (TestCluster cluster = new TestCluster();
                LogLines lines = new LogLines("io.shardbus.runtime.control.ElectionRunner").withInformation()) {
            cluster.start(3, TestCluster.options().setAwaitPredecessorLeases(true))
                    .startType(echo("before"));
            TestCluster.Node first = cluster.nodes().stream()
                    .filter(node -> node.id().equals(cluster.coordinator()))
                    .findFirst()
                    .orElseThrow();
            cluster.kill(first);
            cluster.untilMembers(2);
            TestCluster.Node node = cluster.node(0);
            ShardRegion<String> region = await(node.sharding().start(echo("after")));
            String begin =
                    "the shards of 'after' that have no home wait until leases of an earlier coordinator have run"
                            + " out, for ";
            assertTrue(
                    lines.with("; shards without a home wait until leases of an earlier coordinator have run out, for ")
                                    .size()
                            > 0,
                    "the log of the next coordinator, which took over from another node");
            until("it says so", () -> region.waitsFor().orElse("").startsWith(begin));
            assertTrue(node.sharding().notReadyReasons().stream().anyMatch(reason -> reason.startsWith(begin)));
            assertFalse(node.sharding().isReady());
            await(region.ready());
            assertEquals(Optional.empty(), region.waitsFor());
            until("no reason is left", () -> node.sharding().notReadyReasons().equals(List.of()));
        }
    }
}
