package io.shardbus.integration.moves;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ClusterSharding;
import io.shardbus.core.protocol.Query;
import io.shardbus.integration.Census;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.CounterMessage.Where;
import io.shardbus.integration.TestCluster;
import io.shardbus.integration.Traffic;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.shardbus.transport.QueryCodec;
import io.vertx.core.eventbus.ReplyException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Drains are seen, and taken back. */
@Tag("slow")
class UndrainIT {
    private final TestCluster cluster = new TestCluster();
    private final Census census = new Census();

    @BeforeEach
    void start() {
        cluster.start(3, TestCluster.options());
        cluster.startType(census.definition());
        for (String id : Traffic.hundred("e")) {
            await(cluster.node(0).counter(id).ask(new Where()));
        }
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private long shardsOn(NodeId home) {
        return await(cluster.node(0).sharding().typeState(CounterMessage.COUNTER.name())).shards().stream()
                .filter(shard -> shard.home().equals(home))
                .count();
    }

    private boolean isLeaving(NodeId node) {
        return await(cluster.node(0).sharding().typeState(CounterMessage.COUNTER.name())).regions().stream()
                .filter(TypeState.Region::leaving)
                .anyMatch(region -> region.node().equals(node));
    }

    @Test
    void theNodeHasShardsAgain() {
        ClusterSharding asked = cluster.node(0).sharding();
        TestCluster.Node emptied = cluster.node(2);
        assertEquals(Set.of(), await(asked.drainedNodes()));
        Traffic traffic = Traffic.start(cluster.node(1), CounterMessage.COUNTER, Traffic.hundred("e"));
        assertTrue(await(asked.drain(emptied.id())) > 0);
        until("it is empty", () -> shardsOn(emptied.id()) == 0);
        for (TestCluster.Node node : cluster.nodes()) {
            assertEquals(Set.of(emptied.id()), await(node.sharding().drainedNodes()));
        }
        assertTrue(isLeaving(emptied.id()));
        assertEquals(0, await(emptied.sharding().undrain(emptied.id())));
        assertEquals(Set.of(), await(asked.drainedNodes()));
        until("it has shards again", () -> shardsOn(emptied.id()) > 0);
        assertEquals(List.of(), traffic.stop().faults());
        assertEquals(List.of(), census.faults());
    }

    @Test
    void aNodeThatIsNotDrainedKeepsItsShards() {
        ClusterSharding asked = cluster.node(0).sharding();
        NodeId home = cluster.node(1).id();
        long shards = shardsOn(home);
        assertEquals(shards, await(asked.undrain(home)).longValue());
        assertEquals(shards, shardsOn(home));
    }

    @Test
    void aNewReignKnowsOfTheDrain() {
        ClusterSharding asked = cluster.node(1).sharding();
        NodeId emptied = cluster.node(2).id();
        assertEquals(cluster.node(0).id(), cluster.coordinator());
        await(asked.drain(emptied));
        cluster.leave(cluster.node(0));
        assertEquals(Set.of(emptied), await(asked.drainedNodes()));
        await(asked.undrain(emptied));
        assertEquals(Set.of(), await(asked.drainedNodes()));
    }

    @Test
    void aQuestionThatIsNotKnownIsRefusedWithACode() {
        var question = new Query.Unknown("of a later build");
        String address = "__vertx.shardbus.query." + cluster.node(0).id();
        int code = await(cluster.node(1)
                .vertx()
                .eventBus()
                .request(address, QueryCodec.write(question))
                .map(answer -> 0)
                .otherwise(failure -> ((ReplyException) failure).failureCode()));
        assertEquals(FailureCode.INCOMPATIBLE.number(), code);
    }
}
