package io.shardbus.membership;

import io.shardbus.core.splitbrain.CacheClaim;
import io.shardbus.model.NodeId;
import io.shardbus.store.infinispan.RememberedCache;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.infinispan.AdvancedCache;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.partitionhandling.AvailabilityMode;
import org.infinispan.remoting.transport.Address;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the caches available or unavailable to this side as {@link CacheClaim} decides.
 *
 * <p>The acting member is the first one with sharding. Its view of who has sharding may differ from that of another
 * member for a moment. If two act, they ask Infinispan's coordinator twice for the same, which changes nothing the
 * second time; each acts only on what it knows itself of the missing nodes. If none acts, the next look makes the
 * caches available, about a second later; the caches of a side that stopped are given up by every member of that side
 * ({@link #giveUpCaches}).
 */
final class Goodbyes {
    private static final Logger LOG = LoggerFactory.getLogger(Goodbyes.class);
    /** Cache of Vert.x's locks; Infinispan starts it with the container, and denies it to a minority. */
    static final String LOCKS = "org.infinispan.LOCKS";

    private final NodeId self;
    private final AdvancedCache<?, ?> cache;
    private final Supplier<? extends Collection<? extends AdvancedCache<?, ?>>> followers;
    private final Function<List<NodeId>, Optional<NodeId>> firstSharded;
    private final CacheClaim claim = new CacheClaim();

    /**
     * @param cache decides whether this side may act
     * @param followers the caches that are made available and unavailable together with {@code cache}
     * @param firstSharded the first of the members that has sharding: one without it makes no decisions
     */
    Goodbyes(
            NodeId self,
            AdvancedCache<?, ?> cache,
            Supplier<? extends Collection<? extends AdvancedCache<?, ?>>> followers,
            Function<List<NodeId>, Optional<NodeId>> firstSharded) {
        this.self = self;
        this.cache = cache;
        this.followers = followers;
        this.firstSharded = firstSharded;
    }

    /**
     * The caches that are to be available together with the term record. A cache that stays unavailable takes no
     * joining node into its topology. If the nodes of that topology then die, a node outside it cannot let others join:
     * Infinispan fails with a NullPointerException.
     */
    static List<AdvancedCache<?, ?>> followers(EmbeddedCacheManager container) {
        List<AdvancedCache<?, ?>> running = new ArrayList<>(RememberedCache.running(container));
        if (container.isRunning(LOCKS)) {
            running.add(container.getCache(LOCKS).getAdvancedCache());
        }
        return running;
    }

    /** Call it once a second. */
    void secondPassed() {
        claim.secondPassed();
    }

    /** Two sides of the cluster have met: Infinispan has some time to unite their caches. */
    void merged() {
        claim.merged();
    }

    void said(NodeId member) {
        claim.said(member);
    }

    void goOnWithout(Set<NodeId> lost) {
        claim.goOnWithout(lost);
    }

    /**
     * Whether this side may use the cache; makes the cache available if only goodbyes or given-up nodes are missing.
     */
    boolean isAvailable(List<NodeId> members) {
        return switch (claim.look(shown(cache), members, acts(members))) {
            case UNAVAILABLE -> false;
            case AVAILABLE -> {
                follow(members);
                yield true;
            }
            case CLAIM -> {
                LOG.info("all missing members have said goodbye or are given up: going on with {}", members);
                cache.setAvailability(AvailabilityMode.AVAILABLE);
                follow(members);
                yield isAvailable(cache);
            }
        };
    }

    /**
     * This side had stopped and takes part again: it no longer keeps its caches unavailable in favour of another side.
     */
    void rejoined() {
        claim.rejoined();
    }

    /** Makes the caches available without the missing members: none of these can coordinate. */
    void revive() {
        LOG.warn("all seats of the cluster are here and have agreed: the caches are available again, also without "
                + "missing members");
        claim.rejoined();
        cache.setAvailability(AvailabilityMode.AVAILABLE);
        followers.get().forEach(each -> each.setAvailability(AvailabilityMode.AVAILABLE));
    }

    /**
     * Makes the caches unavailable in favour of the lost members. Only the acting member does so, and only while no
     * lost member is back: a member that is back shares its caches with this side.
     */
    void yieldTo(Set<NodeId> lost, List<NodeId> members) {
        yieldTo(lost, members, acts(members));
    }

    /**
     * As {@link #yieldTo(Set, List)}, but done by every member that finds the caches available: the acting member may
     * not have stopped.
     */
    void giveUpCaches(Set<NodeId> lost, List<NodeId> members) {
        yieldTo(lost, members, isAvailable(cache));
    }

    private void yieldTo(Set<NodeId> lost, List<NodeId> members, boolean acts) {
        if (claim.yieldTo(lost, members) && acts) {
            LOG.info("stopped in favour of {}: the caches are unavailable to {} until they meet", lost, members);
            cache.setAvailability(AvailabilityMode.DEGRADED_MODE);
            followers.get().forEach(each -> each.setAvailability(AvailabilityMode.DEGRADED_MODE));
        }
    }

    /** Makes the followers available, too: each cache notices losses by itself, some later than others. */
    private void follow(List<NodeId> members) {
        for (var follower : acts(members) ? followers.get() : List.<AdvancedCache<?, ?>>of()) {
            if (claim.follows(shown(follower), members)) {
                LOG.info("the cache {} is available again, going on with {}", follower.getName(), members);
                follower.setAvailability(AvailabilityMode.AVAILABLE);
            }
        }
    }

    /** Whether this node acts for the members. */
    boolean acts(List<NodeId> members) {
        return firstSharded.apply(claim.staying(members)).filter(self::equals).isPresent();
    }

    private static boolean isAvailable(AdvancedCache<?, ?> of) {
        return of.getAvailability() == AvailabilityMode.AVAILABLE;
    }

    private static CacheClaim.Cache shown(AdvancedCache<?, ?> of) {
        var available = isAvailable(of);
        var topology = of.getDistributionManager().getCacheTopology();
        return new CacheClaim.Cache(available, nodes(topology.getMembers()), nodes(topology.getActualMembers()));
    }

    private static Set<NodeId> nodes(Collection<Address> addresses) {
        return addresses.stream().map(address -> new NodeId(address.toString())).collect(Collectors.toSet());
    }
}
