package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.shardbus.integration.BareCluster;
import io.shardbus.store.infinispan.TermCache;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.infinispan.AdvancedCache;
import org.infinispan.conflict.impl.InternalConflictManager;
import org.infinispan.distribution.LocalizedCacheTopology;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.notifications.Listener;
import org.infinispan.notifications.cachemanagerlistener.annotation.Merged;
import org.infinispan.notifications.cachemanagerlistener.event.MergeEvent;
import org.infinispan.remoting.transport.Transport;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.infinispan.topology.CacheTopology;
import org.infinispan.topology.LocalTopologyManager;
import org.jgroups.protocols.DISCARD;
import org.jgroups.protocols.TP;
import org.jgroups.stack.ProtocolStack;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Caches of a real Infinispan that wait for what does not come. */
class TopologyRetryIT {
    static final String CONFIG = "org.infinispan.CONFIG";

    private final BareCluster cluster = new BareCluster(3);
    private final List<MergeEvent> merges = new CopyOnWriteArrayList<>();
    private DefaultCacheManager coordinator;
    private AdvancedCache<byte[], byte[]> term;
    private DefaultCacheManager other;
    private TopologyRetry retry;

    @BeforeEach
    void start() {
        coordinator = cluster.startContainer();
        term = TermCache.obtain(coordinator, TermCache.DEFAULT_REMOTE_TIMEOUT);
        other = cluster.startContainer();
        TermCache.obtain(other, TermCache.DEFAULT_REMOTE_TIMEOUT);
        retry = new TopologyRetry(coordinator, term);
        coordinator.addListener(new Merges());
        Await.until(
                () -> topology(CONFIG), () -> rests(coordinator, CONFIG, 2) && rests(coordinator, TermCache.NAME, 2));
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Listener
    final class Merges {
        @Merged
        public void merged(MergeEvent event) {
            merges.add(event);
        }
    }

    private LocalizedCacheTopology topology(String cache) {
        return topology(coordinator, cache);
    }

    private static LocalizedCacheTopology topology(EmbeddedCacheManager container, String cache) {
        return container
                .getCache(cache)
                .getAdvancedCache()
                .getDistributionManager()
                .getCacheTopology();
    }

    static boolean rests(EmbeddedCacheManager container, String cache, int members) {
        var topology = topology(container, cache);
        return topology.getPhase() == CacheTopology.Phase.NO_REBALANCE
                && topology.getMembers().size() == members;
    }

    private ComponentRegistry components() throws ReflectiveOperationException {
        return components(term);
    }

    private static ComponentRegistry components(AdvancedCache<?, ?> cache) throws ReflectiveOperationException {
        return (ComponentRegistry)
                cache.getClass().getMethod("getComponentRegistry").invoke(cache);
    }

    private static Transport transport(DefaultCacheManager node) {
        return node.getCache(TermCache.NAME).getAdvancedCache().getRpcManager().getTransport();
    }

    /** What is sent to this node is lost from now on. It is not missed for 8 s. */
    private static void silence(DefaultCacheManager node) throws Exception {
        var channel = ((JGroupsTransport) transport(node)).getChannel();
        channel.getProtocolStack()
                .insertProtocol(new DISCARD().discardAll(true), ProtocolStack.Position.ABOVE, TP.class);
    }

    private void beginLostChange(String cache) throws ReflectiveOperationException {
        beginLostChange(coordinator, cache);
    }

    /** The coordinator's replica takes part in a change of which the coordination of the cache does not know. */
    static void beginLostChange(EmbeddedCacheManager coordinator, String cache) throws ReflectiveOperationException {
        var now = topology(coordinator, cache);
        var change = new CacheTopology(
                now.getTopologyId() + 1,
                now.getRebalanceId() + 1,
                now.getCurrentCH(),
                now.getCurrentCH(),
                CacheTopology.Phase.READ_OLD_WRITE_ALL,
                now.getActualMembers(),
                now.getMembersPersistentUUIDs());
        var components = components(coordinator.getCache(cache).getAdvancedCache());
        components
                .getComponent(LocalTopologyManager.class)
                .handleRebalance(
                        cache, change, components.getComponent(Transport.class).getViewId(), coordinator.getAddress());
        Await.until(
                () -> topology(coordinator, cache),
                () -> topology(coordinator, cache).getPhase() == CacheTopology.Phase.READ_OLD_WRITE_ALL);
    }

    @Test
    @DisplayName("a node that joins is taken in where a cache waits for a change that nobody ends")
    void aJoinerIsTakenIn() throws Exception {
        beginLostChange(CONFIG);
        var joined = CompletableFuture.supplyAsync(cluster::startContainer);
        Await.until(
                () -> coordinator.getMembers(), () -> coordinator.getMembers().size() == 3);
        assertFalse(joined.isDone());
        // a look each time that the condition is checked, where a node looks once a second
        Await.until(() -> topology(CONFIG), () -> {
            retry.look();
            return joined.isDone();
        });
        Await.until(() -> topology(CONFIG), () -> rests(coordinator, CONFIG, 3) && rests(joined.join(), CONFIG, 3));
        assertFalse(merges.isEmpty());
        assertTrue(merges.stream().allMatch(TopologyRetry::isRepeated), merges::toString);
    }

    @Test
    void cachesAtRestAreLeftAlone() {
        var before = topology(CONFIG).getTopologyId();
        for (int i = 0; i < 3 * UnsettledCaches.LOOKS_BEFORE_RECOVERY; i++) {
            retry.look();
        }
        assertEquals(before, topology(CONFIG).getTopologyId());
        assertEquals(List.of(), merges);
    }

    @Test
    @DisplayName("a resolution of conflicts ends when it belongs to an earlier topology, and not before")
    void anOutdatedResolutionEnds() throws Exception {
        var now = topology(TermCache.NAME);
        int later = now.getTopologyId() + 1;
        silence(other);
        var merged = new CacheTopology(
                later,
                now.getRebalanceId() + 1,
                now.getCurrentCH(),
                null,
                CacheTopology.Phase.CONFLICT_RESOLUTION,
                now.getActualMembers(),
                now.getMembersPersistentUUIDs());
        InternalConflictManager<?, ?> conflicts = components().getComponent(InternalConflictManager.class);
        var resolution = conflicts
                .resolveConflicts(merged, new HashSet<>(Set.of(coordinator.getAddress())))
                .toCompletableFuture();
        Await.until(() -> resolution, conflicts::isConflictResolutionInProgress);
        Await.until(() -> resolution, () -> OutdatedResolution.isRequesting(conflicts.getStateReceiver()));
        assertFalse(OutdatedResolution.end(components(), later));
        assertFalse(resolution.isDone());
        assertTrue(OutdatedResolution.end(components(), later + 1));
        Await.until(() -> resolution, resolution::isDone);
        assertFalse(OutdatedResolution.end(components(), later + 1));
    }
}
