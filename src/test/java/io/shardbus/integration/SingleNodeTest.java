package io.shardbus.integration;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityRef;
import io.shardbus.ShardingOptions;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SingleNodeTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    @DisplayName("START-06 one node, one counter: three increments and one decrement give 2")
    void countsOnOneNode() {
        ClusterSharding sharding = ClusterSharding.create(vertx, TestCluster.options());
        await(sharding.start(Counter.definition()));
        EntityRef<CounterMessage> counter = sharding.entityRef(CounterMessage.COUNTER, "42");
        for (long amount : new long[] {1, 1, 1, -1}) {
            counter.tell(new CounterMessage.Add(amount));
        }
        assertEquals(2L, await(counter.ask(new CounterMessage.Get())));
        assertEquals(java.util.Set.of(sharding.self()), await(sharding.regions("counter")));
        new ShardingOptions().validate();
    }
}
