package io.shardbus.integration.membership;

import static io.shardbus.testkit.ClusterTestKit.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ShardingException;
import io.shardbus.model.FailureCode;
import io.shardbus.testkit.ClusterTestKit;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The last node that may coordinate wants to leave. */
class LastSeatIT {
    @Test
    @DisplayName(
            "the last node that may coordinate is refused its wish to leave before others, and may leave after them")
    void isRefused() {
        try (var cluster = ClusterTestKit.start(1)) {
            var seat = cluster.node(0).sharding();
            var other = cluster.startNode(ClusterTestKit.options().setCoordinator(false));
            cluster.untilMembers(2);
            cluster.until(
                    "the other has said that it does not coordinate",
                    () -> seat.clusterState().nodes().stream()
                            .anyMatch(node -> node.id().equals(other.id()) && !node.mayCoordinate()));
            cluster.coordinator();
            cluster.until("it is ready", seat::isReady);
            var refusal = assertThrows(ShardingException.class, () -> await(seat.prepareToLeave(Duration.ZERO)));
            assertEquals(FailureCode.LAST_SEAT, refusal.code());
            assertTrue(String.valueOf(refusal.getMessage()).contains("[" + other.id() + "]"), refusal.getMessage());
            assertFalse(seat.isLeaving());
            assertTrue(seat.isReady());
            await(other.sharding().prepareToLeave(Duration.ZERO));
            cluster.leave(other);
            cluster.untilMembers(1);
            await(seat.prepareToLeave(Duration.ZERO));
            assertTrue(seat.isLeaving());
        }
    }
}
