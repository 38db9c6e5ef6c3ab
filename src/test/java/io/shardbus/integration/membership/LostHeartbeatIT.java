package io.shardbus.integration.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.shardbus.integration.BareCluster;
import io.shardbus.integration.ClusterNode;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.blocks.RequestCorrelator;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.stack.Protocol;
import org.jgroups.stack.ProtocolStack;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The coordinator of the caches asks for a sign of life before it gives a topology, and the question is lost. */
@Tag("slow")
class LostHeartbeatIT {
    @Test
    @DisplayName("the coordinator of the caches gets no answer to its first question after a crash: it"
            + " asks again within seconds")
    void theTopologyFollowsTheView() {
        try (var cluster = new BareCluster(4)) {
            var nodes = List.of(cluster.startNode(), cluster.startNode(), cluster.startNode(), cluster.startNode());
            nodes.forEach(
                    node -> Await.until(() -> node, () -> node.view().members().size() == 4));
            var first = nodes.get(0);
            Await.until(() -> counted(first), () -> counted(first).size() == 4);
            var lost = LostRequests.in(channel(first), 1);

            nodes.get(3).cutOff();

            Await.until(() -> first, () -> first.view().members().size() == 3);
            Await.until(() -> counted(first), () -> counted(first).size() == 3);
            assertEquals(0, lost.left.get(), "no question was lost");
            assertTrue(first.view().available(), first::toString);
            nodes.get(3).heal();
            nodes.forEach(
                    node -> Await.until(() -> node, () -> node.view().members().size() == 4));
        }
    }

    private static List<String> counted(ClusterNode node) {
        return node
                .manager
                .container()
                .getCache("shardbus.term")
                .getAdvancedCache()
                .getDistributionManager()
                .getCacheTopology()
                .getActualMembers()
                .stream()
                .map(Object::toString)
                .toList();
    }

    private static JChannel channel(ClusterNode node) {
        EmbeddedCacheManager container = node.manager.container();
        var cache = container.getCache("shardbus.term").getAdvancedCache();
        return ((JGroupsTransport) cache.getRpcManager().getTransport()).getChannel();
    }

    /** Loses the first requests of Infinispan to all members that are sent in a later view. */
    private static final class LostRequests extends Protocol {
        private static final short REQUEST = ClassConfigurator.getProtocolId(RequestCorrelator.class);
        private final JChannel channel;
        private final long view;
        private final AtomicInteger left;

        private LostRequests(JChannel channel, int count) {
            this.channel = channel;
            this.view = channel.getView().getViewId().getId();
            this.left = new AtomicInteger(count);
        }

        static LostRequests in(JChannel channel, int count) {
            var lost = new LostRequests(channel, count);
            try {
                var stack = channel.getProtocolStack();
                stack.insertProtocol(
                        lost,
                        ProtocolStack.Position.BELOW,
                        stack.getTopProtocol().getClass());
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            return lost;
        }

        @Override
        public Object down(Message message) {
            RequestCorrelator.Header header = message.getHeader(REQUEST);
            boolean asksAll = message.getDest() == null && header != null && header.requestId() != 0;
            boolean isLost = asksAll
                    && channel.getView().getViewId().getId() > view
                    && left.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
            return isLost ? null : super.down(message);
        }
    }
}
