package io.shardbus.integration.leases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.shardbus.integration.Await;
import io.shardbus.integration.TestCluster;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.options.ClusterOptions;
import io.shardbus.store.infinispan.TermCache;
import io.vertx.core.Vertx;
import java.util.UUID;
import org.infinispan.partitionhandling.PartitionHandling;
import org.junit.jupiter.api.Test;

/** What the first member of a cluster must know before others use it. */
class GuardedCachesIT {
    @Test
    void aMemberThatHasNotStartedShardingKnowsThatTheTermIsRefusedToMinorities() {
        var manager = ShardbusClusterManager.create(new ClusterOptions()
                .setClusterName("guarded-" + UUID.randomUUID())
                .setBindPort(TestCluster.freePort()));
        var vertx = Await.result(Vertx.builder().withClusterManager(manager).buildClustered());
        try {
            var known = manager.container().getCacheConfiguration(TermCache.NAME);
            assertNotNull(known);
            assertEquals(
                    PartitionHandling.DENY_READ_WRITES,
                    known.clustering().partitionHandling().whenSplit());
        } finally {
            Await.result(vertx.close());
        }
    }
}
