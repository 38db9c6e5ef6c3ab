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

    /** Nothing that these nodes send arrives at this one from now on. */
    public static void cut(Vertx node, Collection<Vertx> others) {
        DISCARD discard = new DISCARD();
        others.forEach(other -> discard.addIgnoreMember(channel(other).getAddress()));
        insert(node, discard);
    }

    /** Nothing arrives at this node, or leaves it, from now on. */
    public static void cutOff(Vertx node) {
        insert(node, new DISCARD().discardAll(true));
    }

    /** Ends all cuts. */
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
