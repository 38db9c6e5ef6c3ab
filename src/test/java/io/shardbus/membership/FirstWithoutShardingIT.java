package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.integration.Await;
import io.shardbus.integration.BareCluster;
import io.shardbus.integration.ClusterNode;
import io.shardbus.model.NodeId;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
@DisplayName("Where the first member of a cluster has no sharding")
class FirstWithoutShardingIT {
    private final BareCluster cluster = new BareCluster(4);
    private ShardbusClusterManager first;
    private Vertx vertx;

    @BeforeEach
    void startTheFirst() {
        first = ShardbusClusterManager.create(cluster.options());
        vertx = Await.result(Vertx.builder().withClusterManager(first).buildClustered());
    }

    @AfterEach
    void stop() {
        cluster.close();
        Await.result(vertx.close());
    }

    private void awaitMembers(ClusterNode node, NodeId... sharded) {
        var members = new ArrayList<>(List.of(first.nodeId()));
        members.addAll(List.of(sharded));
        Await.until(() -> node, () -> node.view().members().equals(members));
    }

    private static void awaitAvailable(ClusterNode node, boolean available) {
        Await.until(() -> node, () -> node.view().available() == available);
    }

    /** The second of two nodes with sharding is cut off, and the other one has stopped in its favour. */
    private NodeId loseTheSecond(ClusterNode staying) {
        var lost = cluster.startNode();
        awaitMembers(staying, staying.id(), lost.id());
        Await.until(() -> staying, () -> staying.membership.attributes().containsKey(lost.id()));
        lost.cutOff();
        awaitMembers(staying, staying.id());
        staying.membership.giveUpCaches(Set.of(lost.id()));
        awaitAvailable(staying, false);
        return lost.id();
    }

    @Test
    @DisplayName("a node goes on when the lost one turns out to have left, and clears up after it")
    void goesOnAfterAGoodbye() {
        var staying = cluster.startNode();
        var gone = loseTheSecond(staying);
        staying.membership.saidGoodbye(gone);
        awaitAvailable(staying, true);
        var attributes = staying.manager.container().getCache("shardbus.nodes");
        Await.until(attributes::keySet, () -> attributes.size() == 1);
    }

    @Test
    @DisplayName("a node that takes part again goes on without one that is given up")
    void goesOnWithoutOneThatIsGivenUp() {
        var staying = cluster.startNode();
        var gone = loseTheSecond(staying);
        staying.membership.rejoined();
        staying.membership.goOnWithout(Set.of(gone));
        awaitAvailable(staying, true);
    }

    @Test
    @DisplayName("a side that stops makes the caches unavailable to itself")
    void yieldsTheCaches() {
        var nodes = List.of(cluster.startNode(), cluster.startNode());
        var lost = cluster.startNode();
        nodes.forEach(node -> awaitMembers(node, nodes.get(0).id(), nodes.get(1).id(), lost.id()));
        nodes.forEach(node ->
                Await.until(() -> node, () -> node.membership.attributes().size() == 3));
        lost.cutOff();
        nodes.forEach(node -> awaitMembers(node, nodes.get(0).id(), nodes.get(1).id()));
        nodes.forEach(node -> assertEquals(true, node.view().available(), node::toString));
        nodes.forEach(node -> node.membership.yieldTo(Set.of(lost.id())));
        nodes.forEach(node -> awaitAvailable(node, false));
    }

    @Test
    @DisplayName("a node that joins is taken in although a cache waits for a change that does not end")
    void retriesTopologies() throws Exception {
        var staying = cluster.startNode();
        awaitMembers(staying, staying.id());
        var container = first.container();
        Await.until(() -> container, () -> TopologyRetryIT.rests(container, TopologyRetryIT.CONFIG, 2));
        TopologyRetryIT.beginLostChange(container, TopologyRetryIT.CONFIG);
        var joined = CompletableFuture.supplyAsync(cluster::startContainer);
        Await.until(() -> container.getMembers(), joined::isDone);
        Await.until(() -> container, () -> TopologyRetryIT.rests(container, TopologyRetryIT.CONFIG, 3));
    }
}
