package io.shardbus.membership;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.infinispan.AdvancedCache;
import org.infinispan.Cache;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.notifications.cachemanagerlistener.CacheManagerNotifier;
import org.infinispan.remoting.transport.Address;
import org.infinispan.remoting.transport.Transport;
import org.infinispan.topology.ClusterTopologyManager;
import org.infinispan.topology.ClusterTopologyManager.ClusterManagerStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes Infinispan adapt its caches to the view again after it has given up. The coordinator of the caches asks all
 * members whether they are alive before it installs a topology without the members that left, and after a merge which
 * topology they have. When an answer does not come in time, it logs an error (ISPN000197, ISPN000228) and leaves the
 * caches as they are until the view changes the next time: replicated writes go on waiting for members that are gone,
 * and the term can be neither claimed nor confirmed.
 *
 * <p>The retry repeats what Infinispan does for a new view, with the present view: a cache that is up to date does not
 * change.
 */
final class TopologyRetry {
    private static final Logger LOG = LoggerFactory.getLogger(TopologyRetry.class);

    /**
     * Number of further looks before a retry. A topology normally follows its view within milliseconds, on a busy
     * machine later.
     */
    static final int LOOKS_BEFORE_RETRY = 2;

    private final EmbeddedCacheManager container;
    private final Transport transport;
    private final ClusterTopologyManager coordination;
    private final CacheManagerNotifier notifier;
    private int lateView;
    private int looks;

    /** @param cache any cache of the container, as the way to its components */
    TopologyRetry(EmbeddedCacheManager container, AdvancedCache<?, ?> cache) {
        var components = components(cache);
        this.container = container;
        this.transport = components.getComponent(Transport.class);
        this.coordination = components.getComponent(ClusterTopologyManager.class);
        this.notifier = components.getComponent(CacheManagerNotifier.class);
    }

    /** Call it periodically on every node; only the coordinator of the caches acts. */
    void look() {
        int view = transport.getViewId();
        var late = transport.isCoordinator() ? late(transport.getMembers()) : Optional.<String>empty();
        looks = late.isEmpty() || view != lateView ? 0 : looks + 1;
        lateView = view;
        if (late.isPresent() && looks == LOOKS_BEFORE_RETRY) {
            looks = 0;
            LOG.warn("view={}: {}, adapting the caches to the view again", view, late.get());
            var members = transport.getMembers();
            var unused = notifier.notifyViewChange(members, members, transport.getAddress(), view);
        }
    }

    private Optional<String> late(List<Address> members) {
        if (coordination.getStatus() == ClusterManagerStatus.RECOVERING_CLUSTER) {
            return Optional.of("the members' topologies are not known");
        }
        return container.getCacheNames().stream()
                .filter(container::isRunning)
                .map(name -> container.getCache(name, false))
                .filter(Objects::nonNull)
                .filter(running -> countsOthersThan(members, running))
                .map(running -> "the cache " + running.getName() + " counts members that have left")
                .findFirst();
    }

    private static boolean countsOthersThan(List<Address> members, Cache<?, ?> running) {
        var distribution = running.getAdvancedCache().getDistributionManager();
        return distribution != null
                && !members.containsAll(distribution.getCacheTopology().getActualMembers());
    }

    /** A method of the class in all versions, of the interface in 14 only. */
    private static ComponentRegistry components(AdvancedCache<?, ?> cache) {
        try {
            return (ComponentRegistry)
                    cache.getClass().getMethod("getComponentRegistry").invoke(cache);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this version of Infinispan does not give its components", e);
        }
    }
}
