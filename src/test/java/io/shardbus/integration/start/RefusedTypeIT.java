package io.shardbus.integration.start;

import static io.shardbus.integration.LoneNode.failure;
import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A node whose only type the cluster does not take. */
class RefusedTypeIT {
    private final TestCluster cluster = new TestCluster();

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    @DisplayName("It serves nothing, so it is not ready and says why, until the type is started as the cluster has it")
    void isNotReady() {
        EntityDefinition<CounterMessage> definition =
                EntityDefinition.of(CounterMessage.COUNTER, id -> new Counter()).withNumberOfShards(10);
        TestCluster.Node first = cluster.startNode(TestCluster.options());
        await(first.sharding().start(definition));
        TestCluster.Node second = cluster.startNode(TestCluster.options());
        var refusal = failure(second.sharding().start(definition.withNumberOfShards(12)));
        assertEquals(FailureCode.INCOMPATIBLE, refusal.code());
        TestCluster.until(
                "it says so",
                () -> second.sharding().notReadyReasons().toString().contains("numberOfShards is 12 here and 10"));
        assertFalse(second.sharding().isReady());
        await(second.sharding().start(definition));
        assertEquals(List.of(), second.sharding().notReadyReasons());
        TestCluster.until("ready", () -> second.sharding().isReady());
        assertTrue(first.sharding().isReady());
    }
}
