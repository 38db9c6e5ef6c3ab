package io.shardbus.membership;

import io.shardbus.store.infinispan.RememberedCache;
import io.shardbus.store.infinispan.TermCache;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.infinispan.AdvancedCache;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.partitionhandling.AvailabilityMode;
import org.infinispan.remoting.transport.Address;
import org.infinispan.topology.CacheTopology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The turn of a node to leave the cluster. Infinispan requires a majority of the members that its caches had when they
 * were last at rest. If nodes leave in good order but faster than the caches come to rest, the next JGroups coordinator
 * takes that for a split (ISPN000320), and the rest of the cluster stops. So one node leaves at a time, each when the
 * caches are at rest after the previous departure. A node that has had no turn after 10 s leaves without one.
 */
final class LeaveTurn {
    private static final Logger LOG = LoggerFactory.getLogger(LeaveTurn.class);
    private static final byte[] KEY = "leaving".getBytes(StandardCharsets.UTF_8);
    private static final long LOOK_MS = 20;
    private static final int LOOKS_AT_REST = 15;
    private static final long FAREWELL_MS = 200;
    private static final long PATIENCE_SECONDS = 10;

    private final EmbeddedCacheManager container;
    private final AdvancedCache<byte[], byte[]> term;
    private final byte[] own;
    private final CompletableFuture<Void> come = new CompletableFuture<>();
    private int looksAtRest;
    private int topologyBefore;

    private LeaveTurn(EmbeddedCacheManager container) {
        this.container = container;
        this.term = container.<byte[], byte[]>getCache(TermCache.NAME).getAdvancedCache();
        this.own = bytes(container.getAddress());
    }

    /** Completes, on any thread, when this node may leave; never fails. Does not block. */
    static CompletableFuture<Void> of(EmbeddedCacheManager container) {
        if (!container.isRunning(TermCache.NAME)) {
            return CompletableFuture.completedFuture(null);
        }
        var thread = new OwnThread("shardbus-leave");
        var turn = new LeaveTurn(container);
        thread.poll(LOOK_MS, turn::look);
        return turn.come
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .exceptionally(failure -> {
                    LOG.warn("leaving the cluster before this node's turn has come: {}", failure.toString());
                    return null;
                })
                .thenRunAsync(turn::leaveCache)
                .thenRunAsync(() -> {}, CompletableFuture.delayedExecutor(FAREWELL_MS, TimeUnit.MILLISECONDS))
                .whenComplete((done, never) -> thread.close());
    }

    /**
     * Leaves the guarded caches while the node is still a member. Members that have the next view already ignore what a
     * leaving JGroups coordinator sends about the caches, and would treat its departure as a loss (ISPN000320, two
     * nodes of which the older one leaves).
     */
    private void leaveCache() {
        try {
            RememberedCache.running(container).forEach(AdvancedCache::stop);
            term.stop();
        } catch (RuntimeException e) {
            LOG.warn("leaving the cluster without leaving its caches first: {}", e.toString());
        }
    }

    private void look() {
        try {
            List<Address> members = container.getMembers();
            boolean nothingToLose = members.size() < 2 || term.getAvailability() != AvailabilityMode.AVAILABLE;
            if (nothingToLose || (take(members) && isAtRest(members))) {
                come.complete(null);
            }
        } catch (RuntimeException e) {
            come.completeExceptionally(e);
        }
    }

    /** Takes the turn if it is free: its last holder keeps it until that node is out of the view. */
    private boolean take(List<Address> members) {
        byte[] holder = term.putIfAbsent(KEY, own);
        if (holder == null || Arrays.equals(holder, own)) {
            return true;
        }
        boolean present = members.stream().anyMatch(member -> Arrays.equals(bytes(member), holder));
        return !present && term.replace(KEY, holder, own);
    }

    /**
     * Whether the topology of the term cache has not changed for 0.3 s. A new JGroups coordinator takes the caches over
     * some time after the view; if a member leaves meanwhile (ISPN000524), a cache never comes to rest again.
     */
    private boolean isAtRest(List<Address> members) {
        var topology = term.getDistributionManager().getCacheTopology();
        boolean restsNow = topology.getPhase() == CacheTopology.Phase.NO_REBALANCE
                && topology.getPendingCH() == null
                && new HashSet<>(topology.getMembers()).equals(new HashSet<>(members));
        looksAtRest = restsNow && topology.getTopologyId() == topologyBefore ? looksAtRest + 1 : 0;
        topologyBefore = topology.getTopologyId();
        return looksAtRest >= LOOKS_AT_REST;
    }

    private static byte[] bytes(Address member) {
        return member.toString().getBytes(StandardCharsets.UTF_8);
    }
}
