package io.shardbus.integration.membership;

import static io.shardbus.testkit.ClusterTestKit.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ShardingException;
import io.shardbus.model.FailureCode;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
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

    @Test
    @DisplayName("of the last two nodes that may coordinate one is refused where both want to leave at the same moment")
    void oneOfTwoIsRefused() {
        try (var cluster = ClusterTestKit.start(2)) {
            var guest = cluster.startNode(ClusterTestKit.options().setCoordinator(false));
            cluster.untilMembers(3);
            var seats = List.of(cluster.node(0).sharding(), cluster.node(1).sharding());
            for (var seat : seats) {
                cluster.until(
                        "the guest has said that it does not coordinate",
                        () -> seat.clusterState().nodes().stream()
                                .anyMatch(node -> node.id().equals(guest.id()) && !node.mayCoordinate()));
            }
            cluster.coordinator();
            var leaving = seats.stream()
                    .map(seat -> seat.prepareToLeave(Duration.ZERO))
                    .toList();
            await(Future.join(leaving).otherwiseEmpty());
            var refused = leaving.stream().filter(Future::failed).toList();
            assertEquals(1, refused.size());
            var refusal =
                    assertInstanceOf(ShardingException.class, refused.get(0).cause());
            assertEquals(FailureCode.LAST_SEAT, refusal.code());
            assertTrue(String.valueOf(refusal.getMessage()).contains("[" + guest.id() + "]"), refusal.getMessage());
            assertEquals(1, seats.stream().filter(seat -> seat.isLeaving()).count());
        }
    }
}
