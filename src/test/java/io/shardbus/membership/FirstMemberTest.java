package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The first member of a cluster that a node joins")
class FirstMemberTest {
    @Test
    @DisplayName("has a ShardbusClusterManager, or the node refuses to join")
    void hasTheClusterManager() {
        assertThrows(
                IllegalStateException.class,
                () -> JoinRefusal.requireGuard(List.of("host-4711", NodeNames.unique("own"))));
        for (var name : List.of(
                NodeNames.unique("host"),
                NodeNames.named("a b", ""),
                NodeNames.named("", "0123456789ab"),
                UUID.randomUUID().toString())) {
            assertDoesNotThrow(() -> JoinRefusal.requireGuard(List.of(name, "host-4711")), name);
        }
    }
}
