package io.shardbus.integration.start;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.integration.BareCluster;
import io.shardbus.integration.ClusterNode;
import io.shardbus.integration.LogLines;
import io.shardbus.integration.membership.ClusterMembershipIT;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.membership.detection.MulticastCredits;
import io.shardbus.membership.detection.UnicastCredits;
import io.shardbus.options.ClusterOptions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files in conf start a cluster. */
class ConfFilesIT {
    @ParameterizedTest
    @ValueSource(strings = {"conf/jgroups-loopback.xml", "conf/jgroups-lan.xml"})
    void twoNodesJoin(String stack) {
        try (var lines = new LogLines(ShardbusClusterManager.class.getPackageName() + ".PlatformChecks");
                var cluster = new BareCluster(2)) {
            var first = start(cluster, stack);
            var second = start(cluster, stack);
            ClusterMembershipIT.awaitMembers(List.of(first.id(), second.id()), first, second);
            ClusterMembershipIT.answer(second, "x");
            assertEquals("pong", ClusterMembershipIT.ask(first, "x"));
            assertEquals(List.of(), lines.with("WARN"), "a healthy node on the platform of this build");
        }
    }

    /**
     * What a stack of the user's own in the Infinispan file means is the user's business: it is used, and what it lacks
     * is named.
     */
    @Test
    void aStackThatTheInfinispanFileNamesIsUsed() throws Exception {
        try (var lines = new LogLines(ShardbusClusterManager.class.getPackageName() + ".PlatformChecks");
                var cluster = new BareCluster(1)) {
            var options = cluster.options().setInfinispanConfig("own-stack.xml");
            var node = cluster.startNode(options, NodeAttributes.DEFAULT);
            assertEquals("own-stack", protocolOf(node.manager));
            var named = lines.with("use [" + MulticastCredits.class.getName() + " for MFC, "
                    + UnicastCredits.class.getName() + " for UFC]");
            assertEquals(1, named.size(), () -> lines.with("").toString());
        }
    }

    private static ClusterNode start(BareCluster cluster, String stack) {
        ClusterOptions options = cluster.options()
                .setBindAddress("127.0.0.1")
                .setInfinispanConfig("conf/infinispan.xml")
                .setJgroupsConfig(stack);
        return cluster.startNode(options, NodeAttributes.DEFAULT);
    }

    private static String protocolOf(ShardbusClusterManager manager) {
        return manager.container().getCacheManagerConfiguration().transport().stack();
    }
}
