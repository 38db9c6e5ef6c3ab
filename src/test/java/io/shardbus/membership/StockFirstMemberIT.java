package io.shardbus.membership;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.shardbus.integration.BareCluster;
import io.shardbus.options.ClusterOptions;
import io.vertx.core.Vertx;
import io.vertx.ext.cluster.infinispan.InfinispanClusterManager;
import java.util.concurrent.CompletionException;
import org.infinispan.manager.DefaultCacheManager;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A cluster whose oldest member has the stock cluster manager")
class StockFirstMemberIT {
    @Test
    @DisplayName("refuses a node with Shardbus, as its caches are not guarded against a cut")
    void refusesANodeWithShardbus() throws InterruptedException {
        var options = new ClusterOptions()
                .setClusterName("stock-first-" + ProcessHandle.current().pid());
        var container = new DefaultCacheManager(ClusterConfiguration.of(options, "stock-4711"), true);
        var stock = await(Vertx.builder()
                .withClusterManager(new InfinispanClusterManager(container))
                .buildClustered());
        try {
            var joined = Vertx.builder()
                    .withClusterManager(ShardbusClusterManager.create(options))
                    .buildClustered()
                    .toCompletionStage()
                    .toCompletableFuture();
            var refusal = assertThrows(CompletionException.class, joined::join).getCause();
            assertTrue(
                    refusal.getMessage().contains("its first member stock-4711 has another cluster manager"),
                    refusal.getMessage());
        } finally {
            await(stock.close());
            container.stop();
        }
    }

    @Test
    @DisplayName("since the members before it left, is unavailable to nodes with Shardbus")
    void isUnavailableAlsoLater() {
        try (var cluster = new BareCluster(3)) {
            var before = cluster.startNode();
            var container = new DefaultCacheManager(ClusterConfiguration.of(cluster.options(), "stock-4712"), true);
            var stock = await(Vertx.builder()
                    .withClusterManager(new InfinispanClusterManager(container))
                    .buildClustered());
            try {
                var after = cluster.startNode();
                Await.until(
                        after::view,
                        () -> after.view().members().size() == 3 && after.view().available());
                before.close();
                Await.until(
                        after::view,
                        () -> after.view().members().size() == 2
                                && !after.view().available());
            } finally {
                await(stock.close());
                container.stop();
            }
        }
    }
}
