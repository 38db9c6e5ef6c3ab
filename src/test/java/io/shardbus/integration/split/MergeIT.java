package io.shardbus.integration.split;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.shardbus.integration.BareCluster;
import io.shardbus.integration.ClusterNode;
import io.shardbus.integration.membership.ClusterMembershipIT;
import io.shardbus.membership.ClusterView;
import io.shardbus.model.NodeId;
import io.shardbus.store.infinispan.InfinispanStateStore;
import io.vertx.core.eventbus.Message;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A split that heals: the stock cluster manager never finds the minority's consumers again. */
@Tag("slow")
class MergeIT {
    @Test
    void theMinorityIsBackAfterTheMerge() {
        try (var cluster = new BareCluster(3)) {
            var first = cluster.startNode();
            var second = cluster.startNode();
            var third = cluster.startNode();
            var all = List.of(first, second, third);
            all.forEach(node -> ClusterMembershipIT.answer(node, node.id().value()));
            all.forEach(node -> Await.result(node.vertx
                    .eventBus()
                    .<String>consumer(
                            "shared", message -> message.reply(node.id().value()))
                    .completion()));
            all.forEach(node -> assertReachesAll(node, all));

            third.cutOff();
            ClusterMembershipIT.awaitMembers(List.of(first.id(), second.id()), first, second);
            ClusterMembershipIT.awaitMembers(List.of(third.id()), third);
            Await.until(() -> third, () -> !third.view().available());
            assertTrue(first.views.stream().allMatch(ClusterView::available));
            Await.until(
                    () -> first, () -> first.membership.attributes().keySet().equals(Set.of(first.id(), second.id())));
            assertReadsNoTerm(third);

            third.heal();
            all.forEach(node -> awaitWholeAgain(node, all));
            all.forEach(node -> assertReachesAll(node, all));
            all.forEach(node -> assertTrue(node.views.stream().anyMatch(ClusterView::merged), node::toString));
        }
    }

    private static void awaitWholeAgain(ClusterNode node, List<ClusterNode> all) {
        Await.until(
                () -> node,
                () -> node.view().members().size() == all.size() && node.view().available());
        Await.until(() -> node, () -> node.membership.attributes().size() == all.size());
    }

    /** Every node by its own address, and all of them by the address that they share. */
    private static void assertReachesAll(ClusterNode from, List<ClusterNode> all) {
        for (var to : all) {
            Await.until(() -> from.id() + " does not reach " + to.id(), () -> reaches(from, to));
        }
        var found = ConcurrentHashMap.<NodeId>newKeySet();
        Await.until(() -> from.id() + " reaches only " + found, () -> {
            found.add(new NodeId(Await.result(
                    from.vertx.eventBus().<String>request("shared", "who").map(Message::body))));
            return found.size() == all.size();
        });
    }

    private static boolean reaches(ClusterNode from, ClusterNode to) {
        return Await.result(
                from.vertx.eventBus().request(to.id().value(), "ping").map(true).otherwise(false));
    }

    private static void assertReadsNoTerm(ClusterNode node) {
        var store = new InfinispanStateStore(node.manager.container());
        Await.result(store.start());
        assertFalse(Await.result(store.readTerm().map(true).otherwise(false)));
        Await.result(store.close());
    }
}
