package io.shardbus.membership;

import io.shardbus.model.NodeId;
import io.vertx.core.Future;
import java.util.Map;

/**
 * The membership of a Vert.x that is not clustered: one node, or several nodes on the same Vert.x that are all members
 * from the start. Always available.
 */
public final class LocalMembership implements Membership {
    private final NodeId self;
    private final Map<NodeId, NodeAttributes> members;
    private volatile Map<NodeId, NodeAttributes> attributes = Map.of();

    /** The membership of a node that is alone; each instance has a new name. */
    public LocalMembership(NodeAttributes own) {
        this(new NodeId(NodeNames.unique("local")), own);
    }

    private LocalMembership(NodeId self, NodeAttributes own) {
        this(self, Map.of(self, own));
    }

    /**
     * The membership of one of several nodes.
     *
     * @param members the attributes of all nodes, {@code self} included
     */
    public LocalMembership(NodeId self, Map<NodeId, NodeAttributes> members) {
        this.self = self;
        this.members = Map.copyOf(members);
    }

    @Override
    public NodeId self() {
        return self;
    }

    @Override
    public Future<Void> start(Listener listener) {
        attributes = members;
        listener.viewChanged(
                new ClusterView(1, members.keySet().stream().sorted().toList(), false, true));
        listener.attributesChanged(attributes);
        return Future.succeededFuture();
    }

    @Override
    public Map<NodeId, NodeAttributes> attributes() {
        return attributes;
    }

    @Override
    public Future<Void> stop() {
        attributes = Map.of();
        return Future.succeededFuture();
    }
}
