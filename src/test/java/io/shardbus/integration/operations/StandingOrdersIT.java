package io.shardbus.integration.operations;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.shardbus.ClusterSharding;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.CounterMessage.Where;
import io.shardbus.integration.TestCluster;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.model.ClusterOverview;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.model.TypeState;
import io.shardbus.store.StandingOrdersStore;
import io.shardbus.store.infinispan.InfinispanRecords;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What operators have ordered outlives the coordinator that they told. */
@Tag("slow")
class StandingOrdersIT {
    private static final int SHARDS = 12;
    private static final String TYPE = CounterMessage.COUNTER.name();

    private final TestCluster cluster = new TestCluster();

    @BeforeEach
    void start() {
        cluster.start(4, TestCluster.options().setRebalanceIntervalMs(500))
                .startType(Counter.definition().withNumberOfShards(SHARDS));
        touchAll();
        until("every node has shards", () -> cluster.nodes().stream().allMatch(node -> shardsOn(node.id()) > 0));
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private void touchAll() {
        for (int i = 0; i < 100; i++) {
            await(cluster.node(0).counter("e" + i).ask(new Where()));
        }
    }

    /** A node that stays. */
    private ClusterSharding asked() {
        return cluster.node(cluster.nodes().size() - 1).sharding();
    }

    private TypeState state() {
        return await(asked().typeState(TYPE));
    }

    private long shardsOn(NodeId home) {
        return state().shards().stream()
                .filter(shard -> shard.home().equals(home))
                .count();
    }

    private ClusterOverview.Type type() {
        return await(asked().operations().overview()).types().get(0);
    }

    /** Kills the coordinator, and waits until the next one has given all its shards a home. */
    private void killTheCoordinator() {
        NodeId first = cluster.coordinator();
        assertEquals(cluster.node(0).id(), first);
        cluster.kill(cluster.node(0));
        cluster.untilMembers(cluster.nodes().size());
        until("another node coordinates", () -> cluster.agreedCoordinator() != null);
        assertNotEquals(first, cluster.coordinator());
        touchAll();
        until(
                "all shards are at home",
                () -> state().shards().size() == SHARDS
                        && state().shards().stream().allMatch(shard -> shard.status() == TypeState.ShardStatus.ACTIVE));
    }

    @Test
    void aDrainGoesOnUnderTheNextCoordinatorUntilItIsTakenBack() {
        NodeId drained = cluster.node(1).id();
        await(asked().drain(drained));
        InfinispanRecords records = ShardbusClusterManager.of(
                        cluster.node(cluster.nodes().size() - 1).vertx())
                .records();
        StandingOrdersStore store = new StandingOrdersStore(records);
        TermId first = await(store.read()).writer();
        assertNotEquals(TermId.NONE, first);
        killTheCoordinator();
        assertEquals(Set.of(drained), await(asked().drainedNodes()));
        until(
                "the last coordinator writes no more",
                () -> await(store.read()).writer().isHigherThan(first));
        records.close();
        until("it is empty", () -> shardsOn(drained) == 0);
        await(asked().rebalance(TYPE));
        touchAll();
        assertEquals(0, shardsOn(drained), "it gets none back");
        await(asked().undrain(drained));
        assertEquals(Set.of(), await(asked().drainedNodes()));
        until("it has shards again", () -> shardsOn(drained) > 0);
        killTheCoordinator();
        assertEquals(Set.of(), await(asked().drainedNodes()), "and so under the one after");
    }

    @Test
    void cordonsPinsAndStoppedRebalancingStay() {
        NodeId cordoned = cluster.node(1).id();
        NodeId pinned = cluster.node(2).id();
        await(asked().operations().cordon(cordoned, true));
        await(asked().operations().setRebalancing(TYPE, false));
        int shard = state().shards().stream()
                .filter(row -> row.home().equals(cluster.node(3).id()))
                .findFirst()
                .orElseThrow()
                .shard();
        await(asked().operations().pin(TYPE, shard, pinned));
        long kept = shardsOn(cordoned);
        killTheCoordinator();
        assertEquals(Set.of(cordoned), type().cordoned());
        assertEquals(Map.of(shard, pinned), type().pins());
        assertEquals(true, type().paused());
        assertEquals(kept, shardsOn(cordoned), "of those that the lost node had it gets none");
        until(
                "the shard is where it is pinned",
                () -> state().shards().stream()
                        .anyMatch(row -> row.shard() == shard && row.home().equals(pinned)));
        await(asked().operations().cordon(cordoned, false));
        await(asked().operations().unpin(TYPE, shard));
        await(asked().operations().setRebalancing(TYPE, true));
        assertEquals(Set.of(), type().cordoned());
        assertEquals(Map.of(), type().pins());
        until("it gets shards again", () -> shardsOn(cordoned) > kept);
    }

    @Test
    void ordersEndWithTheNodeThatTheyAreAbout() {
        NodeId leaver = cluster.node(2).id();
        await(asked().drain(leaver));
        await(asked().operations().cordon(leaver, true));
        await(asked().operations().cordon(cluster.node(1).id(), true));
        cluster.leave(cluster.node(2));
        InfinispanRecords records =
                ShardbusClusterManager.of(cluster.node(1).vertx()).records();
        StandingOrdersStore store = new StandingOrdersStore(records);
        until(
                "nothing stands of it",
                () -> await(store.read())
                        .orders()
                        .nodes()
                        .equals(Set.of(cluster.node(1).id())));
        records.close();
        // the coordinator follows the record when its own write of it has come back
        until(
                "the coordinator follows what is left",
                () -> type().cordoned().equals(Set.of(cluster.node(1).id())));
    }
}
