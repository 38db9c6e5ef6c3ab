package io.shardbus.integration;

import io.shardbus.membership.ClusterView;
import io.shardbus.membership.Membership;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.model.NodeId;
import io.shardbus.options.ClusterOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.jgroups.JChannel;
import org.jgroups.protocols.DISCARD;
import org.jgroups.protocols.TP;
import org.jgroups.stack.ProtocolStack;

/** One clustered Vert.x of a test, with its membership started, and what the listener was told. */
public final class ClusterNode implements Membership.Listener {
    public final ShardbusClusterManager manager;
    public final Vertx vertx;
    public final Membership membership;
    public final List<ClusterView> views = new CopyOnWriteArrayList<>();
    public final List<Set<NodeId>> counted = new CopyOnWriteArrayList<>();
    public final List<Map<NodeId, NodeAttributes>> attributes = new CopyOnWriteArrayList<>();

    static ClusterNode start(ClusterOptions options, NodeAttributes own) {
        var manager = ShardbusClusterManager.create(options);
        var vertx = Await.result(Vertx.builder()
                .with(new VertxOptions().setEventLoopPoolSize(1))
                .withClusterManager(manager)
                .buildClustered());
        var node = new ClusterNode(manager, vertx, own);
        Await.result(node.membership.start(node));
        return node;
    }

    public static NodeAttributes role(String role) {
        return new NodeAttributes(Set.of(role), true, "1");
    }

    /** What others hear of a node with this role: where its event bus is, too. */
    public NodeAttributes published(String role) {
        var bus = manager.getNodeInfo();
        return new NodeAttributes(Set.of(role), true, "1", bus.host(), bus.port());
    }

    private ClusterNode(ShardbusClusterManager manager, Vertx vertx, NodeAttributes own) {
        this.manager = manager;
        this.vertx = vertx;
        this.membership = Membership.of(vertx, own);
    }

    public NodeId id() {
        return membership.self();
    }

    /** See {@link Membership#unheard}. */
    public Map<String, Long> unheard() {
        return membership.unheard();
    }

    public ClusterView view() {
        return views.get(views.size() - 1);
    }

    /** No traffic of JGroups passes; the event bus's connections are others and go on. */
    public void cutOff() {
        var discard = new DISCARD();
        discard.discardAll(true);
        insert(discard);
    }

    /** Nothing that another one sends arrives here; the other direction goes on. */
    public void cutOffFrom(ClusterNode other) {
        insert(new DISCARD().addIgnoreMember(other.channel().getAddress()));
    }

    private void insert(DISCARD discard) {
        try {
            stack().insertProtocol(discard, ProtocolStack.Position.ABOVE, TP.class);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    public void heal() {
        stack().removeProtocol(DISCARD.class);
    }

    public void close() {
        Await.result(membership.stop());
        Await.result(vertx.close());
    }

    @Override
    public void viewChanged(ClusterView view) {
        views.add(view);
    }

    @Override
    public void countedChanged(Set<NodeId> nodes) {
        counted.add(nodes);
    }

    @Override
    public void attributesChanged(Map<NodeId, NodeAttributes> changed) {
        attributes.add(changed);
    }

    @Override
    public String toString() {
        return id() + " saw " + views + ", " + attributes + ", counted " + counted;
    }

    private ProtocolStack stack() {
        return channel().getProtocolStack();
    }

    private JChannel channel() {
        var cache = manager.container().getCache("shardbus.term").getAdvancedCache();
        return ((JGroupsTransport) cache.getRpcManager().getTransport()).getChannel();
    }
}
