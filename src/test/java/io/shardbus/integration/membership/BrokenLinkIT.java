package io.shardbus.integration.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.shardbus.integration.BareCluster;
import io.shardbus.integration.ClusterNode;
import io.shardbus.membership.ClusterView;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two of three do not hear each other, the first member hears both. */
class BrokenLinkIT {
    @Test
    @Tag("long-fault")
    @DisplayName("nothing passes between the second and the third: the third is excluded, the others go on, and it is"
            + " back after the heal")
    void theYoungerIsExcluded() {
        try (var cluster = new BareCluster(3)) {
            var nodes = threeNodes(cluster);
            var first = nodes.get(0);
            var second = nodes.get(1);
            var third = nodes.get(2);
            var all = nodes.stream().map(ClusterNode::id).toList();
            second.cutOffFrom(third);
            third.cutOffFrom(second);
            for (var node : List.of(first, second)) {
                Await.until(() -> node, () -> node.view().members().equals(all.subList(0, 2)));
                assertTrue(node.view().available(), node::toString);
            }
            second.heal();
            third.heal();
            nodes.forEach(
                    node -> Await.until(() -> node, () -> node.view().members().size() == 3));
            long exclusions = first.views.stream()
                    .filter(view -> view.members().size() == 2)
                    .filter(view -> !isStart(first.views, view))
                    .count();
            assertEquals(1, exclusions, first::toString);
        }
    }

    @Test
    @DisplayName(
            "nothing passes from the second to the third: all stay members, the third says for how long it has heard"
                    + " nothing of the second, and no more after the heal")
    void aMemberSaysOfWhichItHearsNothing() {
        try (var cluster = new BareCluster(3)) {
            var nodes = threeNodes(cluster);
            var first = nodes.get(0);
            var second = nodes.get(1);
            var third = nodes.get(2);
            var all = nodes.stream().map(ClusterNode::id).toList();
            Await.until(third::unheard, () -> third.unheard().isEmpty());
            third.cutOffFrom(second);
            // longer than the 4 s after which the failure detection looks for the second
            Await.until(
                    third::unheard,
                    () -> third.unheard().getOrDefault(second.id().value(), 0L) > 6_000);
            assertEquals(Set.of(second.id().value()), third.unheard().keySet());
            assertEquals(Map.of(), first.unheard());
            assertEquals(all, third.view().members());
            third.heal();
            Await.until(third::unheard, () -> third.unheard().isEmpty());
        }
    }

    private static List<ClusterNode> threeNodes(BareCluster cluster) {
        var nodes = List.of(cluster.startNode(), cluster.startNode(), cluster.startNode());
        var all = nodes.stream().map(ClusterNode::id).toList();
        nodes.forEach(
                node -> Await.until(() -> node, () -> node.view().members().equals(all)));
        return nodes;
    }

    private static boolean isStart(List<ClusterView> views, ClusterView view) {
        return views.indexOf(view)
                < views.indexOf(views.stream()
                        .filter(seen -> seen.members().size() == 3)
                        .findFirst()
                        .orElseThrow());
    }
}
