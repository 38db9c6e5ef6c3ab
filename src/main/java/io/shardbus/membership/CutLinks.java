package io.shardbus.membership;

import io.shardbus.store.infinispan.TermCache;
import io.vertx.core.Vertx;
import java.util.Collection;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.jgroups.JChannel;
import org.jgroups.protocols.DISCARD;
import org.jgroups.protocols.TP;
import org.jgroups.stack.ProtocolStack;

/**
 * For tests with several nodes in one process: cuts the cluster traffic of a node. The event bus has connections of its
 * own and goes on.
 */
public final class CutLinks {
    private CutLinks() {}

    /** Drops cluster traffic from these nodes to this one, until {@link #heal}; the other direction is not cut. */
    public static void cut(Vertx node, Collection<Vertx> others) {
        DISCARD discard = new DISCARD();
        others.forEach(other -> discard.addIgnoreMember(channel(other).getAddress()));
        insert(node, discard);
    }

    /** Drops all cluster traffic to and from this node, until {@link #heal}. */
    public static void cutOff(Vertx node) {
        insert(node, new DISCARD().discardAll(true));
    }

    /** Ends the cut of this node. */
    public static void heal(Vertx node) {
        channel(node).getProtocolStack().removeProtocol(DISCARD.class);
    }

    private static void insert(Vertx node, DISCARD discard) {
        ProtocolStack stack = channel(node).getProtocolStack();
        stack.removeProtocol(DISCARD.class);
        try {
            stack.insertProtocol(discard, ProtocolStack.Position.ABOVE, TP.class);
        } catch (Exception e) {
            throw new IllegalStateException("a cut cannot be put into the stack", e);
        }
    }

    private static JChannel channel(Vertx node) {
        var cache = ShardbusClusterManager.of(node)
                .container()
                .getCache(TermCache.NAME)
                .getAdvancedCache();
        return ((JGroupsTransport) cache.getRpcManager().getTransport()).getChannel();
    }
}
