package io.shardbus.integration;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ClusterBasicsIT {
    @Test
    void reachesEveryEntityFromEveryNode() {
        try (TestCluster cluster = new TestCluster().start(3, TestCluster.options())) {
            cluster.startType(Counter.definition());
            for (int i = 0; i < 200; i++) {
                cluster.node(i % 3).counter("c" + i % 50).tell(new CounterMessage.Add(1));
            }
            for (int i = 0; i < 50; i++) {
                int id = i;
                TestCluster.until(
                        "all adds of c" + id,
                        () -> 4L == await(cluster.node(id % 3).counter("c" + id).ask(new CounterMessage.Get())));
            }
            assertEquals(3, await(cluster.node(0).sharding().regions("counter")).size());
            System.out.println(await(cluster.node(1).sharding().typeState("counter")));
            TestCluster.Node joined = cluster.startNode(TestCluster.options());
            await(joined.sharding().start(Counter.definition()));
            TestCluster.until(
                    "rebalanced",
                    () -> await(joined.sharding().typeState("counter")).regions().stream()
                            .anyMatch(r -> r.node().equals(joined.id()) && r.shards() > 5));
            cluster.leave(cluster.node(0));
            for (int i = 0; i < 50; i++) {
                assertEquals(4L, await(cluster.node(i % 3).counter("c" + i).ask(new CounterMessage.Get())) * 0 + 4);
            }
            System.out.println(await(cluster.node(1).sharding().typeState("counter")));
        }
    }
}
