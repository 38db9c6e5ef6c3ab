package io.shardbus.membership;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.infinispan.AdvancedCache;
import org.infinispan.Cache;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.notifications.cachemanagerlistener.CacheManagerNotifier;
import org.infinispan.notifications.cachemanagerlistener.event.MergeEvent;
import org.infinispan.partitionhandling.AvailabilityMode;
import org.infinispan.remoting.transport.Address;
import org.infinispan.remoting.transport.Transport;
import org.infinispan.topology.CacheTopology;
import org.infinispan.topology.ClusterTopologyManager;
import org.infinispan.topology.ClusterTopologyManager.ClusterManagerStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes Infinispan continue with its caches after it has given up, or while it waits for an answer that cannot come.
 * The coordinator of the caches does so in three cases:
 *
 * <ul>
 *   <li>It asks all members whether they are alive before it installs a topology without the members that left, and
 *       after a merge which topology they have. If an answer does not arrive in time, it logs an error (ISPN000197,
 *       ISPN000228) and leaves the caches as they are until the next view: replicated writes still wait for members
 *       that are gone, and the term can be neither claimed nor confirmed. The retry runs Infinispan's procedure for a
 *       new view again, with the present view; it does not change a cache that is up to date.
 *   <li>The resolution of conflicts after a merge waits for that of an earlier merge until the earlier one times out,
 *       after four minutes; see {@link OutdatedResolution}.
 *   <li>A cache does not come to rest: it waits for members that have confirmed its change to an earlier coordinator,
 *       or a joining member is not added. The retry then runs Infinispan's procedure for a merge: the members report
 *       which topology they have, and the change begins again.
 * </ul>
 */
final class TopologyRetry {
    private static final Logger LOG = LoggerFactory.getLogger(TopologyRetry.class);
    private static final long LOOK_EVERY_SECONDS = 1;

    /**
     * Number of further looks, about one a second, before a retry. A topology normally follows its view within
     * milliseconds, on a busy machine later.
     */
    static final int LOOKS_BEFORE_RETRY = 2;

    /** Caches of few entries, whose members change within a second. */
    private static final String SMALL =
            "org\\.infinispan\\.(CONFIG|LOCKS|COUNTER)|__vertx\\..*|shardbus\\.(term|nodes)";

    /** Internal cache that Infinispan does not list; each node joins it first. */
    private static final String CONFIG = "org.infinispan.CONFIG";

    private final EmbeddedCacheManager container;
    private final Transport transport;
    private final ClusterTopologyManager coordination;
    private final CacheManagerNotifier notifier;
    private final UnsettledCaches unsettled = new UnsettledCaches();
    private int lateView;
    private int looks;

    /** @param cache any cache of the container, through which its components are found */
    TopologyRetry(EmbeddedCacheManager container, AdvancedCache<?, ?> cache) {
        var components = components(cache);
        this.container = container;
        this.transport = components.getComponent(Transport.class);
        this.coordination = components.getComponent(ClusterTopologyManager.class);
        this.notifier = components.getComponent(CacheManagerNotifier.class);
    }

    /** Whether the event comes from a retry, and not from a merge of two sides of the cluster. */
    static boolean isRepeated(MergeEvent event) {
        return event.getSubgroupsMerged().isEmpty();
    }

    /** Looks about once a second on this thread until the thread is closed. */
    void start(OwnThread thread) {
        thread.runEvery(LOOK_EVERY_SECONDS, this::lookAgain);
    }

    /** Logs a failure, so that it does not end the looks; at DEBUG if the container has stopped. */
    private void lookAgain() {
        try {
            look();
        } catch (RuntimeException e) {
            if (container.getStatus().allowInvocations()) {
                LOG.warn("cannot compare the caches with the view, retrying", e);
            } else {
                LOG.debug("no caches to compare with the view: this node has left the cluster", e);
            }
        }
    }

    /** Call it periodically on every node, with sharding or without; only the coordinator of the caches acts. */
    void look() {
        int view = transport.getViewId();
        var members = transport.getMembers();
        var late = transport.isCoordinator() ? late(members) : Optional.<String>empty();
        looks = late.isEmpty() || view != lateView ? 0 : looks + 1;
        lateView = view;
        if (late.isPresent() && looks == LOOKS_BEFORE_RETRY) {
            looks = 0;
            LOG.warn("view={}: {}: adapting the caches to the view again", view, late.get());
            var unused = notifier.notifyViewChange(members, members, transport.getAddress(), view);
        }
        if (transport.isCoordinator() && late.isEmpty() && coordination.isRebalancingEnabled()) {
            caches().forEach(TopologyRetry::endOutdated);
            recoverUnsettled(view, members);
        } else {
            unsettled.clear();
        }
    }

    private static void endOutdated(Cache<?, ?> cache) {
        var topology = topologyOf(cache);
        if (topology.getPhase() == CacheTopology.Phase.CONFLICT_RESOLUTION
                && OutdatedResolution.end(components(cache.getAdvancedCache()), topology.getTopologyId())) {
            LOG.warn("the cache {} still resolved conflicts of an earlier merge: cancelled that", cache.getName());
        }
    }

    private void recoverUnsettled(int view, List<Address> members) {
        var stuck = unsettled.look(
                small().filter(this::isUnsettled).map(TopologyRetry::topology).toList());
        if (stuck.isPresent()) {
            LOG.warn(
                    "view={}: the cache {} has not come to rest for {} s, recovering the caches as after a merge",
                    view,
                    stuck.get().cache(),
                    UnsettledCaches.LOOKS_BEFORE_RECOVERY);
            var unused = notifier.notifyMerge(members, members, transport.getAddress(), view, List.of());
        }
    }

    private static CacheTopology topologyOf(Cache<?, ?> cache) {
        return cache.getAdvancedCache().getDistributionManager().getCacheTopology();
    }

    private static UnsettledCaches.Topology topology(Cache<?, ?> cache) {
        var topology = topologyOf(cache);
        return new UnsettledCaches.Topology(cache.getName(), topology.getTopologyId());
    }

    /** Whether an available cache changes its members, or should; not while it resolves conflicts. */
    private boolean isUnsettled(Cache<?, ?> cache) {
        var topology = topologyOf(cache);
        var expected = coordination.currentJoiners(cache.getName());
        return cache.getAdvancedCache().getAvailability() == AvailabilityMode.AVAILABLE
                && topology.getPhase() != CacheTopology.Phase.CONFLICT_RESOLUTION
                && (topology.getPhase() != CacheTopology.Phase.NO_REBALANCE
                        || topology.getPendingCH() != null
                        || (expected != null && !new HashSet<>(expected).equals(new HashSet<>(topology.getMembers()))));
    }

    private Optional<String> late(List<Address> members) {
        if (coordination.getStatus() == ClusterManagerStatus.RECOVERING_CLUSTER) {
            return Optional.of("the members have not said which topologies they have");
        }
        return caches().filter(cache -> !members.containsAll(cache.getAdvancedCache()
                        .getDistributionManager()
                        .getCacheTopology()
                        .getActualMembers()))
                .map(running -> "the cache " + running.getName() + " counts members that have left")
                .findFirst();
    }

    private Stream<Cache<?, ?>> small() {
        return Stream.concat(Stream.of(CONFIG), container.getCacheNames().stream())
                .distinct()
                .filter(name -> name.matches(SMALL))
                .flatMap(this::running);
    }

    private Stream<Cache<?, ?>> caches() {
        return container.getCacheNames().stream().flatMap(this::running);
    }

    /** The cache, if it runs here and has members. */
    private Stream<Cache<?, ?>> running(String name) {
        return Stream.of(name)
                .filter(container::isRunning)
                .<Cache<?, ?>>map(running -> container.getCache(running, false))
                .filter(Objects::nonNull)
                .filter(cache -> cache.getAdvancedCache().getDistributionManager() != null);
    }

    /** Called by reflection: a method of the class in all versions, but of the interface in 14 only. */
    private static ComponentRegistry components(AdvancedCache<?, ?> cache) {
        try {
            return (ComponentRegistry)
                    cache.getClass().getMethod("getComponentRegistry").invoke(cache);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this version of Infinispan does not give its components", e);
        }
    }
}
