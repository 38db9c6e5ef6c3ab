package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.shardbus.integration.Await;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.NodeId;
import io.shardbus.options.ClusterOptions;
import io.shardbus.store.infinispan.TermCache;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.infinispan.AdvancedCache;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.partitionhandling.AvailabilityMode;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.jgroups.protocols.DISCARD;
import org.jgroups.protocols.TP;
import org.jgroups.stack.ProtocolStack;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three members without a watch of their own; the third is cut off and has an unavailable cache. */
@Tag("slow")
class GoodbyesIT {
    private final List<Vertx> running = new ArrayList<>();
    private final List<NodeId> ids = new ArrayList<>();
    private AdvancedCache<?, ?> cutOff;
    private AdvancedCache<?, ?> locks;
    private Goodbyes goodbyes;

    @BeforeEach
    void cutsTheThirdOff() throws Exception {
        String name = "goodbyes-" + UUID.randomUUID();
        List<String> peers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            var container = join(name, peers);
            cutOff = TermCache.obtain(container, TermCache.DEFAULT_REMOTE_TIMEOUT);
            locks = container.getCache(Goodbyes.LOCKS).getAdvancedCache();
            goodbyes = new Goodbyes(
                    ids.get(i),
                    cutOff,
                    () -> Goodbyes.followers(container),
                    members -> members.stream().findFirst());
        }
        awaitPresent(ids::equals);
        var transport = (JGroupsTransport) cutOff.getRpcManager().getTransport();
        DISCARD discard = new DISCARD();
        discard.discardAll(true);
        transport.getChannel().getProtocolStack().insertProtocol(discard, ProtocolStack.Position.ABOVE, TP.class);
        awaitPresent(List.of(ids.get(2))::equals);
        for (var cache : List.of(cutOff, locks)) {
            Await.until(cache::getAvailability, () -> cache.getAvailability() == AvailabilityMode.DEGRADED_MODE);
        }
    }

    private EmbeddedCacheManager join(String name, List<String> peers) {
        int port = TestCluster.freePort();
        peers.add("127.0.0.1:" + port);
        var manager = ShardbusClusterManager.create(new ClusterOptions()
                .setClusterName(name)
                .setBindAddress("127.0.0.1")
                .setBindPort(port)
                .setPeers(List.copyOf(peers)));
        running.add(Await.result(Vertx.builder().withClusterManager(manager).buildClustered()));
        ids.add(new NodeId(manager.getNodeId()));
        return manager.container();
    }

    private void awaitPresent(Predicate<List<NodeId>> wanted) {
        Await.until(this::present, () -> wanted.test(present()));
    }

    private List<NodeId> present() {
        return cutOff.getDistributionManager().getCacheTopology().getActualMembers().stream()
                .map(address -> new NodeId(address.toString()))
                .toList();
    }

    @AfterEach
    void stopsAll() {
        running.forEach(vertx -> Await.result(vertx.close()));
    }

    @Test
    @DisplayName("SPLIT-01 when the others are back, a side that did not go on waits for the content of those who did")
    void aMergedViewDoesNotMakeTheOldContentAvailable() {
        var merged = List.of(ids.get(2), ids.get(0), ids.get(1));
        assertFalse(goodbyes.isAvailable(merged));
        goodbyes.said(ids.get(1));
        assertFalse(goodbyes.isAvailable(merged));
        assertFalse(goodbyes.isAvailable(List.of(ids.get(2), ids.get(0))), "one is back, one has left");
        assertEquals(AvailabilityMode.DEGRADED_MODE, cutOff.getAvailability());
    }

    @Test
    void whereAllWhoAreMissingHaveLeftOrAreGivenUpThisSideGoesOn() {
        var alone = List.of(ids.get(2));
        assertFalse(goodbyes.isAvailable(alone));
        goodbyes.said(ids.get(0));
        assertFalse(goodbyes.isAvailable(alone));
        goodbyes.goOnWithout(Set.of(ids.get(1)));
        Await.until(cutOff::getAvailability, () -> goodbyes.isAvailable(alone));
        assertEquals(AvailabilityMode.AVAILABLE, cutOff.getAvailability());
        Await.until(locks::getAvailability, () -> locks.getAvailability() == AvailabilityMode.AVAILABLE);
    }

    @Test
    @DisplayName("a founding by all seats gives the locks back, too: else no node could join once this one is alone")
    void aRevivalGivesTheLocksBack() {
        goodbyes.revive();
        Await.until(cutOff::getAvailability, () -> cutOff.getAvailability() == AvailabilityMode.AVAILABLE);
        Await.until(locks::getAvailability, () -> locks.getAvailability() == AvailabilityMode.AVAILABLE);
    }

    @Test
    @DisplayName("a side that took part again after it had yielded goes on where all who are missing have left")
    void aSideThatHasRejoinedIsFree() {
        var alone = List.of(ids.get(2));
        goodbyes.yieldTo(Set.of(new NodeId("elsewhere")), alone);
        goodbyes.said(ids.get(0));
        goodbyes.said(ids.get(1));
        assertFalse(goodbyes.isAvailable(alone), "the others may go on elsewhere");
        goodbyes.rejoined();
        Await.until(cutOff::getAvailability, () -> goodbyes.isAvailable(alone));
        assertEquals(AvailabilityMode.AVAILABLE, cutOff.getAvailability());
    }
}
