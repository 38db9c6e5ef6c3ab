package io.shardbus.membership;

import io.shardbus.model.NodeId;
import io.shardbus.store.infinispan.TermCache;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.infinispan.AdvancedCache;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.notifications.Listener;
import org.infinispan.notifications.cachelistener.annotation.CacheEntryCreated;
import org.infinispan.notifications.cachelistener.annotation.CacheEntryModified;
import org.infinispan.notifications.cachelistener.annotation.CacheEntryRemoved;
import org.infinispan.notifications.cachelistener.annotation.PartitionStatusChanged;
import org.infinispan.notifications.cachelistener.annotation.TopologyChanged;
import org.infinispan.notifications.cachelistener.event.CacheEntryEvent;
import org.infinispan.notifications.cachelistener.event.PartitionStatusChangedEvent;
import org.infinispan.notifications.cachelistener.event.TopologyChangedEvent;
import org.infinispan.notifications.cachemanagerlistener.annotation.CacheStopped;
import org.infinispan.notifications.cachemanagerlistener.annotation.Merged;
import org.infinispan.notifications.cachemanagerlistener.annotation.ViewChanged;
import org.infinispan.notifications.cachemanagerlistener.event.CacheStoppedEvent;
import org.infinispan.notifications.cachemanagerlistener.event.MergeEvent;
import org.infinispan.notifications.cachemanagerlistener.event.ViewChangedEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches one cluster for one listener. Infinispan's events are only a trigger: one thread then compares the present
 * state with the state that the listener was told. So the listener gets one ordered stream that never goes back, and
 * changes that Infinispan does not announce arrive within about a second.
 *
 * <p>The listener of Infinispan's events is synchronous: asynchronous listeners of a container share one thread, which
 * the stock cluster manager blocks with cache writes while a member is frozen. All methods but {@link #attributes} are
 * called on the watch's thread.
 */
final class MembershipWatch {
    private static final Logger LOG = LoggerFactory.getLogger(MembershipWatch.class);
    private static final long TICK_SECONDS = 1;
    private static final int TICKS_PER_CHECK = 5;
    private static final int TICKS_PER_PUBLISHING = 10;
    private static final long SETTLED_AFTER_SECONDS = 2;
    private static final long FAREWELL_SECONDS = 1;
    /** Longer than most leases last by themselves. */
    private static final long DROPPING_SECONDS = 10;

    private final EmbeddedCacheManager container;
    private final OwnThread thread;
    private final NodeId self;
    private final Membership.Listener listener;
    private final AdvancedCache<?, ?> term;
    private final NodesCache nodes;
    private final Goodbyes goodbyes;
    private final Places places;
    private final Predecessors predecessors = new Predecessors();
    private final Events events = new Events();

    private volatile Map<NodeId, NodeAttributes> attributes = Map.of();
    private volatile @Nullable String end;
    private @Nullable ClusterView told;
    /** Whether the last merge is not told to the listener yet. */
    private boolean mergeUntold;

    private Set<NodeId> counted = Set.of();
    private @Nullable NodeAttributes own;
    private Set<NodeId> absentBefore = Set.of();
    private long ticks;
    /** The first member, if it has another cluster manager. */
    private @Nullable String foreign;

    /** Blocks until this node has joined the caches. */
    MembershipWatch(EmbeddedCacheManager container, OwnThread thread, NodeId self, Membership.Listener listener) {
        this.container = container;
        this.thread = thread;
        this.self = self;
        this.listener = listener;
        this.term = TermCache.obtain(container, TermCache.DEFAULT_REMOTE_TIMEOUT);
        this.nodes = NodesCache.obtain(container);
        this.goodbyes = new Goodbyes(self, term, () -> Goodbyes.followers(container), nodes::first);
        this.places = new Places(term);
    }

    Map<NodeId, NodeAttributes> attributes() {
        return attributes;
    }

    /** The reason why there are no events any more, though the watch was not stopped; null if there may be. */
    @Nullable
    String end() {
        return end;
    }

    void start(NodeAttributes published) {
        own = published;
        container.addListener(events);
        term.addListener(events);
        nodes.addListener(events);
        publishOwn();
        look(false);
        thread.runEvery(TICK_SECONDS, this::tick);
    }

    /** Completes when all members have dropped this node's attributes, or after 1 s. */
    CompletionStage<?> stop() {
        own = null;
        attributes = Map.of();
        container.removeListener(events);
        term.removeListener(events);
        nodes.removeListener(events);
        return nodes.remove(self).orTimeout(FAREWELL_SECONDS, TimeUnit.SECONDS).exceptionally(failure -> false);
    }

    void saidGoodbye(NodeId member) {
        goodbyes.said(member);
        look(false);
    }

    void goOnWithout(Set<NodeId> lost) {
        goodbyes.goOnWithout(lost);
        look(false);
    }

    void yieldTo(Set<NodeId> lost) {
        guarded(() -> goodbyes.yieldTo(lost, members()));
        look(false);
    }

    void giveUpCaches(Set<NodeId> lost) {
        guarded(() -> goodbyes.giveUpCaches(lost, members()));
        look(false);
    }

    void rejoined() {
        goodbyes.rejoined();
        look(false);
    }

    void revive() {
        guarded(goodbyes::revive);
        look(false);
    }

    private void tick() {
        goodbyes.secondPassed();
        look(false);
        ticks++;
        if (ticks % TICKS_PER_CHECK == 0) {
            guarded(this::check);
        }
    }

    /**
     * Publishes this node's attributes if they are missing in its replica, and every 10 s in case they are missing in
     * other replicas. The first member with attributes also removes those of nodes that were absent in two checks.
     */
    private void check() {
        var attributes = own;
        var view = told;
        if (attributes == null || view == null) {
            return;
        }
        if (ticks % TICKS_PER_PUBLISHING == 0 || !nodes.holds(self, attributes)) {
            publishOwn();
        }
        var absent = nodes.absent(view.members());
        if (goodbyes.acts(view.members())) {
            absent.stream().filter(absentBefore::contains).forEach(node -> {
                var unused = nodes.remove(node);
            });
        }
        absentBefore = absent;
    }

    private void publishOwn() {
        var attributes = own;
        if (attributes != null) {
            nodes.put(self, attributes);
        }
    }

    private void look(boolean merged) {
        if (own != null) {
            mergeUntold |= merged;
            guarded(this::tell);
        }
    }

    private void tell() {
        var merged = mergeUntold;
        var members = members();
        var available = goodbyes.isAvailable(members) && isGuarded(members);
        var counts = counts();
        if (!counts.equals(counted)) {
            counted = counts;
            listener.countedChanged(counts);
        }
        var last = told;
        if (last == null || merged || !members.equals(last.members()) || available != last.available()) {
            var view = new ClusterView(last == null ? 1 : last.number() + 1, members, merged, available);
            told = view;
            LOG.info(
                    "{} {}{}, as {}: {}",
                    merged ? "merged into" : "now in",
                    available ? "" : "an unavailable part of ",
                    container.getClusterName(),
                    self,
                    members);
            listener.viewChanged(view);
            mergeUntold = false;
        }
        for (NodeId dead : predecessors.succeeded(members, places::of)) {
            LOG.info("{} is dead: another process has its address", dead);
            listener.provenDead(dead);
        }
        var found = nodes.of(members);
        if (!found.equals(attributes)) {
            attributes = found;
            listener.attributesChanged(found);
        }
    }

    /**
     * Whether the first member makes the caches unavailable to the smaller side of a cut. A member with another cluster
     * manager does not, and may have become the first after this node had joined.
     */
    private boolean isGuarded(List<NodeId> members) {
        var first = members.get(0).value();
        var isForeign = NodeNames.isForeign(first);
        if (isForeign && !first.equals(foreign)) {
            LOG.error(
                    "the first member {} has another cluster manager than ShardbusClusterManager, so both sides of a"
                            + " cut could go on: this node stops its regions until another member is the first;"
                            + " build each Vertx of the cluster with ShardbusClusterManager",
                    first);
        }
        foreign = isForeign ? first : null;
        return !isForeign;
    }

    private List<NodeId> members() {
        return container.getMembers().stream()
                .map(address -> new NodeId(address.toString()))
                .toList();
    }

    /** The nodes that hold the content of the term cache, by its topology. */
    private Set<NodeId> counts() {
        var topology = term.getDistributionManager().getCacheTopology();
        return topology.getReadConsistentHash().getMembers().stream()
                .map(address -> new NodeId(address.toString()))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The container, whose transport stops after its caches, waits for this. */
    private CompletionStage<Void> ended() {
        var reason = "the caches of the cluster were stopped in this process while it shards";
        end = reason;
        LOG.error("{}: its regions drop their leases, and it is no part of the cluster any more: restart it", reason);
        return listener.ended(reason)
                .toCompletableFuture()
                .orTimeout(DROPPING_SECONDS, TimeUnit.SECONDS)
                .exceptionally(failure -> {
                    LOG.error("leases may still run in this process after it has left the cluster", failure);
                    return null;
                });
    }

    private void merged() {
        goodbyes.merged();
        look(true);
        publishOwn();
        thread.runAfter(SETTLED_AFTER_SECONDS, this::publishOwn);
    }

    /** Logs a failure of a step, so that it does not end the watch; at DEBUG if the container has stopped. */
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            if (container.getStatus().allowInvocations()) {
                LOG.warn("cannot read or publish the membership view, retrying", e);
            } else {
                LOG.debug("no membership to read: this node has left the cluster", e);
            }
        }
    }

    /** Passes events to the watch's thread: Infinispan waits for these methods while it installs a view or an entry. */
    @Listener
    final class Events {
        @ViewChanged
        public void viewChanged(ViewChangedEvent event) {
            thread.run(() -> look(false));
        }

        @Merged
        public void merged(MergeEvent event) {
            if (!TopologyRetry.isRepeated(event)) {
                thread.run(MembershipWatch.this::merged);
            }
        }

        @PartitionStatusChanged
        public void availabilityChanged(PartitionStatusChangedEvent<?, ?> event) {
            if (!event.isPre()) {
                thread.run(() -> look(false));
            }
        }

        @TopologyChanged
        public void topologyChanged(TopologyChangedEvent<?, ?> event) {
            if (!event.isPre()) {
                thread.run(() -> look(false));
            }
        }

        /** While the container stops it is called on the thread that stops it, before the node leaves the cluster. */
        @CacheStopped
        public CompletionStage<Void> cacheStopped(CacheStoppedEvent event) {
            return event.getCacheName().equals(TermCache.NAME) ? ended() : CompletableFuture.completedFuture(null);
        }

        @CacheEntryCreated
        @CacheEntryModified
        @CacheEntryRemoved
        public void entryChanged(CacheEntryEvent<?, ?> event) {
            if (!event.isPre()) {
                thread.run(() -> look(false));
            }
        }
    }
}
