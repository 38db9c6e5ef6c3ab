package io.shardbus.integration.membership;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.TestCluster;
import org.junit.jupiter.api.Test;

class QuickLeavesIT {
    @Test
    void theLastOfFourGoesOnWhenTheOthersLeaveOneRightAfterTheOther() {
        try (TestCluster cluster = new TestCluster().start(4, TestCluster.options())) {
            cluster.startType(Counter.definition());
            TestCluster.Node last = cluster.node(3);
            assertEquals(1L, await(last.counter("a").ask(new CounterMessage.AddAndGet(1))));
            for (int i = 0; i < 3; i++) {
                cluster.leave(cluster.node(0));
            }
            for (String id : new String[] {"a", "b", "c", "d"}) {
                assertEquals(1, cluster.nodes().size());
                TestCluster.until(
                        "an answer from " + id,
                        () -> last.counter(id)
                                .ask(new CounterMessage.Get())
                                .transform(result -> io.vertx.core.Future.succeededFuture(result.succeeded()))
                                .await());
            }
        }
    }
}
