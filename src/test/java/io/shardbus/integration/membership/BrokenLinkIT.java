package io.shardbus.integration.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.shardbus.integration.BareCluster;
import io.shardbus.membership.ClusterView;
import java.util.List;
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
            var first = cluster.startNode();
            var second = cluster.startNode();
            var third = cluster.startNode();
            var all = List.of(first.id(), second.id(), third.id());
            var nodes = List.of(first, second, third);
            nodes.forEach(
                    node -> Await.until(() -> node, () -> node.view().members().equals(all)));
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

    private static boolean isStart(List<ClusterView> views, ClusterView view) {
        return views.indexOf(view)
                < views.indexOf(views.stream()
                        .filter(seen -> seen.members().size() == 3)
                        .findFirst()
                        .orElseThrow());
    }
}
