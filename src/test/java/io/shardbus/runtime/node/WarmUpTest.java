package io.shardbus.runtime.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.vertx.core.Vertx;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WarmUpTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        Await.result(vertx.close());
    }

    @Test
    void aShardMovesToTheSecondNodeAndBackAndNothingStays() {
        var warmUp = new WarmUp(vertx);
        Await.result(warmUp.play());
        assertEquals(Set.of(WarmUp.FIRST, WarmUp.SECOND), warmUp.places());
        assertEquals(Set.of(), vertx.deploymentIDs());
    }

    @Test
    void aNodeWithoutAClusterNeedsNone() {
        assertTrue(WarmUp.once(vertx).succeeded());
    }
}
