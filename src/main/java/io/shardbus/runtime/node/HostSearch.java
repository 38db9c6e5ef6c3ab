package io.shardbus.runtime.node;

import io.shardbus.model.NodeId;
import io.shardbus.runtime.region.RegionControl;
import io.shardbus.runtime.region.RegionHandle;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that no node hosts a type for which messages wait at this proxy: after two such answers in a row it warns
 * once, and tells the senders whose asks time out. On one context.
 */
final class HostSearch {
    private static final Logger LOG = LoggerFactory.getLogger(HostSearch.class);
    private static final int SURE = 2;

    private final Supplier<Collection<RegionControl<?>>> regions;
    private final Function<String, Future<Set<NodeId>>> hosts;
    private final Map<RegionHandle<?>, Long> homeRequests = new ConcurrentHashMap<>();
    private final Map<RegionHandle<?>, Integer> doubts = new ConcurrentHashMap<>();
    /** Those whose question is under way: answers that come together are one answer. */
    private final Set<RegionHandle<?>> looking = ConcurrentHashMap.newKeySet();

    /** @param hosts the nodes that host a type, as the coordinator knows them */
    HostSearch(Supplier<Collection<RegionControl<?>>> regions, Function<String, Future<Set<NodeId>>> hosts) {
        this.regions = regions;
        this.hosts = hosts;
    }

    /** From time to time. */
    void look() {
        Set<RegionHandle<?>> proxies = new HashSet<>();
        for (RegionControl<?> region : regions.get()) {
            RegionHandle<?> handle = region.handle();
            if (handle.isProxy() && handle.isRegistered()) {
                proxies.add(handle);
                look(handle);
            }
        }
        homeRequests.keySet().retainAll(proxies);
        doubts.keySet().retainAll(proxies);
    }

    private void look(RegionHandle<?> handle) {
        long requests = handle.counters().homeRequests();
        boolean asked = requests > homeRequests.getOrDefault(handle, 0L);
        homeRequests.put(handle, requests);
        if ((asked || doubts.containsKey(handle)) && looking.add(handle)) {
            hosts.apply(handle.type().name())
                    .onComplete(done -> looking.remove(handle))
                    .onSuccess(found -> found(handle, found.isEmpty()));
        }
    }

    private void found(RegionHandle<?> handle, boolean isEmpty) {
        if (!isEmpty) {
            doubts.remove(handle);
            handle.hostless(false);
            return;
        }
        if (doubts.merge(handle, 1, Integer::sum) == SURE) {
            handle.hostless(true);
            LOG.warn("type={}: {}: messages stay buffered", handle.type().name(), handle.withoutHosts());
        }
    }
}
