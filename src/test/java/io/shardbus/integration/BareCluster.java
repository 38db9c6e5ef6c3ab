package io.shardbus.integration;

import io.shardbus.membership.NodeAttributes;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.options.ClusterOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.infinispan.manager.DefaultCacheManager;

/** Room for the nodes of one test: a cluster name and ports that no other test has. */
public final class BareCluster implements AutoCloseable {
    private final String name = "test-" + UUID.randomUUID();
    private final List<Integer> ports;
    private final List<ClusterNode> nodes = new ArrayList<>();
    private final List<DefaultCacheManager> containers = new ArrayList<>();
    private int started;

    public BareCluster(int size) {
        ports = Ports.free(size);
    }

    /** For the node that is started next. */
    public ClusterOptions options() {
        return new ClusterOptions()
                .setClusterName(name)
                .setNodeName("n" + (started + 1))
                .setBindPort(ports.get(started++))
                .setPeers(ports.stream().map(port -> "127.0.0.1:" + port).toList());
    }

    public ClusterNode startNode() {
        return startNode(options(), ClusterNode.role("r" + started));
    }

    public ClusterNode startNode(ClusterOptions options, NodeAttributes own) {
        var node = ClusterNode.start(options, own);
        nodes.add(node);
        return node;
    }

    /** A node's Infinispan without a Vert.x. */
    public DefaultCacheManager startContainer() {
        var container =
                (DefaultCacheManager) ShardbusClusterManager.create(options()).container();
        containers.add(container);
        container.start();
        return container;
    }

    @Override
    public void close() {
        containers.forEach(DefaultCacheManager::stop);
        nodes.forEach(ClusterNode::close);
    }
}
