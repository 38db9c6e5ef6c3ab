package io.shardbus.integration.queries;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityType;
import io.shardbus.integration.Census;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.vertx.core.Future;
import io.vertx.core.internal.VertxInternal;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The coordinator of three nodes leaves; the last node hosts a type, and is slow to tell the next coordinator, which
 * has only another one.
 */
class QueryAfterChangeIT {
    private static final EntityType<CounterMessage> OTHER = EntityType.of("other", CounterMessage.class);
    private static final String TYPE = CounterMessage.COUNTER.name();

    private final TestCluster cluster = new TestCluster();
    private final Census census = new Census();
    private final CountDownLatch gate = new CountDownLatch(1);

    @BeforeEach
    void start() {
        cluster.start(3, TestCluster.options().setRebalanceIntervalMs(0).setQueryTimeoutMs(30_000));
        await(cluster.node(1).sharding().start(census.definition(OTHER)));
        await(cluster.node(2).sharding().start(census.definition()));
        assertEquals(cluster.node(0).id(), cluster.coordinator());
    }

    @AfterEach
    void close() {
        gate.countDown();
        cluster.close();
    }

    /** Nothing runs on the node's event loops until the gate is open. */
    private void hold(TestCluster.Node node) {
        ((VertxInternal) node.vertx())
                .nettyEventLoopGroup()
                .forEach(loop -> loop.execute(() -> {
                    try {
                        gate.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }));
    }

    @Test
    void whatTheNextCoordinatorHasNotHeardOfIsWaitedFor() {
        TestCluster.Node host = cluster.node(2);
        ClusterSharding next = cluster.node(1).sharding();
        hold(host);
        cluster.leave(cluster.node(0));
        until(
                "the next one coordinates",
                () -> next.self().equals(next.clusterState().coordinator()));
        Future<Integer> handoffs = next.rebalance(TYPE);
        Future<Set<NodeId>> regions = next.regions(TYPE);
        Future<TypeState> state = next.typeState(TYPE);
        assertEquals(Set.of(next.self()), await(next.regions(OTHER.name())), "the questions before were heard, too");
        assertFalse(handoffs.isComplete() || regions.isComplete() || state.isComplete(), "no answer yet");
        gate.countDown();
        assertEquals(0, await(handoffs));
        assertEquals(Set.of(host.id()), await(regions));
        assertEquals(1, await(state).regions().size());
    }
}
