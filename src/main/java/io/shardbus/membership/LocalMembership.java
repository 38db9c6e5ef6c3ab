package io.shardbus.membership;

import io.shardbus.NodeId;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/** The membership of a Vert.x that is not clustered: it alone, always available. Another name for each instance. */
public final class LocalMembership implements Membership {
    private final NodeId self = new NodeId(NodeNames.unique("local"));
    private final NodeAttributes own;
    private volatile Map<NodeId, NodeAttributes> attributes = Map.of();

    public LocalMembership(NodeAttributes own) {
        this.own = own;
    }

    @Override
    public NodeId self() {
        return self;
    }

    @Override
    public Future<Void> start(Listener listener) {
        attributes = Map.of(self, own);
        listener.viewChanged(new ClusterView(1, List.of(self), false, true));
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
