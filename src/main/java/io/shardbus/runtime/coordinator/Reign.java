package io.shardbus.runtime.coordinator;

import io.shardbus.NodeId;
import io.shardbus.core.coordinator.Coordinator;
import io.shardbus.core.coordinator.CoordinatorEvent;
import io.shardbus.core.coordinator.CoordinatorSettings;
import io.shardbus.core.coordinator.ElectionCommand;
import io.shardbus.core.coordinator.EndedReign;
import io.shardbus.core.coordinator.LeaseHolders;
import io.shardbus.core.coordinator.LeaseTimes;
import io.shardbus.core.protocol.TermId;
import io.shardbus.runtime.region.RegionControl;
import io.shardbus.spi.RememberedEntitiesStore;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One term of this node: a coordinator for each entity type that has a region. */
final class Reign {
    /** More types than anyone has; a bound for what arrives from other nodes. */
    private static final int MOST_TYPES = 10_000;

    private final ElectionCommand.Begin begin;
    private final CoordinatorCommandRunner.Place place;
    private final NodeParts parts;
    private final Map<String, RegionControl<?>> regions;
    private final Map<String, CoordinatorCommandRunner> coordinators = new LinkedHashMap<>();
    private final Map<String, EndedReign> predecessors = new LinkedHashMap<>();
    private final Drains drains;
    private @Nullable LeaseHolders holders;
    private Set<NodeId> view = Set.of();
    private long confirmSent;
    private boolean undecided;
    private boolean stopping;

    /** @param regions this node's at any time, by their type */
    Reign(
            ElectionCommand.Begin begin,
            CoordinatorCommandRunner.Place place,
            NodeParts parts,
            Map<String, RegionControl<?>> regions) {
        this.begin = begin;
        this.place = place;
        this.parts = parts;
        this.regions = regions;
        this.confirmSent = begin.confirmSent();
        this.drains = new Drains(coordinators(), parts.clock(), this::knowsAllHomes);
    }

    TermId term() {
        return begin.term();
    }

    TermId predecessor() {
        return begin.predecessor();
    }

    /** The coordinator of a type; null before its first region has registered. */
    @Nullable
    CoordinatorCommandRunner find(String type) {
        return coordinators.get(type);
    }

    /** The coordinator of a type, made when its first region registers; null when there are too many types. */
    @Nullable
    CoordinatorCommandRunner coordinator(String type, Set<NodeId> members) {
        CoordinatorCommandRunner found = coordinators.get(type);
        if (found != null || coordinators.size() >= MOST_TYPES) {
            return found;
        }
        RegionControl<?> region = regions.get(type);
        CoordinatorSettings settings = ReignSettings.of(parts, region, begin);
        Coordinator made = new Coordinator(term(), settings, begin.waitFrom(), confirmSent, members);
        CoordinatorCommandRunner runner = new CoordinatorCommandRunner(
                type, made, place, Placings.forType(region, parts.options()), remembered(region));
        coordinators.put(type, runner);
        if (undecided) {
            runner.step(new CoordinatorEvent.LossUndecided(true));
        }
        if (holders != null) {
            tellHolders(runner, holders);
        }
        if (stopping) {
            runner.step(new CoordinatorEvent.ShutdownPrepared(true));
        }
        EndedReign before = predecessors.get(type);
        if (before != null) {
            runner.step(new CoordinatorEvent.PredecessorAbdicated(before));
        }
        drains.begun(runner);
        return runner;
    }

    private static void tellHolders(CoordinatorCommandRunner runner, LeaseHolders known) {
        Set<NodeId> inherited = known.inherited();
        if (inherited != null) {
            runner.step(new CoordinatorEvent.PredecessorAbdicated(inherited));
        }
        known.farewells().forEach((node, at) -> runner.step(new CoordinatorEvent.NodeLeft(node, at)));
    }

    /** The store that the definition brings if this node has the type, else the node's own. */
    private Supplier<Future<RememberedEntitiesStore>> remembered(@Nullable RegionControl<?> region) {
        RememberedEntitiesStore own = region == null
                ? null
                : region.handle().definition().rememberedEntitiesStore().orElse(null);
        return own == null ? parts.remembered() : () -> Future.succeededFuture(own);
    }

    /**
     * What operators may ask about a type. In a cluster's first reign nobody was there before; in a later one every region that this node
     * can hear has tried to register within the longest pause between two tries.
     */
    CoordinatorDesk.OfType desk(String type) {
        CoordinatorCommandRunner found = coordinators.get(type);
        return new CoordinatorDesk.OfType(
                found == null ? null : new CoordinatorDesk(found, parts.clock()),
                begin.predecessor().equals(TermId.NONE)
                        || parts.clock().now()
                                >= begin.confirmSent() + parts.options().getRetryIntervalMs());
    }

    /** Whoever has not registered by now holds no lease of an earlier reign any more. */
    private boolean isLate() {
        LeaseTimes times = parts.times();
        return confirmSent >= begin.waitFrom() + times.lease() + times.margin();
    }

    /** Who may hold leases of earlier terms, and who does no longer. */
    void holdersKnown(LeaseHolders known) {
        holders = known;
    }

    /** These members may be granted leases from now on. */
    void viewChanged(Set<NodeId> members) {
        view = members;
        all(new CoordinatorEvent.ViewChanged(members));
    }

    void confirmed(long sentAt, Set<NodeId> members) {
        if (!members.equals(view)) {
            viewChanged(members);
        }
        confirmSent = sentAt;
        all(new CoordinatorEvent.Confirmed(sentAt));
    }

    /** While the loss of a member is not decided, its shards stay where they are. */
    void lossUndecided(boolean isUndecided) {
        undecided = isUndecided;
        all(new CoordinatorEvent.LossUndecided(isUndecided));
    }

    /** The whole cluster stops, and nothing moves any more; or it goes on. */
    void clusterStops(boolean stops) {
        if (stops != stopping) {
            stopping = stops;
            all(new CoordinatorEvent.ShutdownPrepared(stops));
        }
    }

    /** It is known which leases the term before has left. */
    void predecessorEnded(Map<String, EndedReign> types) {
        predecessors.putAll(types);
        types.forEach((type, ended) -> {
            CoordinatorCommandRunner runner = coordinators.get(type);
            if (runner != null) {
                runner.step(new CoordinatorEvent.PredecessorAbdicated(ended));
            }
        });
    }

    void all(CoordinatorEvent event) {
        coordinators().forEach(runner -> runner.step(event));
    }

    Drains drains() {
        return drains;
    }

    /** A coordinator that is open has heard of every shard that runs; one of a type may not have begun yet. */
    private boolean knowsAllHomes() {
        Set<String> expected = new LinkedHashSet<>(regions.keySet());
        expected.addAll(predecessors.keySet());
        boolean late = !parts.times().awaitPredecessors() || isLate();
        return coordinators().stream().allMatch(runner -> runner.coordinator().isOpen())
                && (late || !coordinators.isEmpty() && coordinators.keySet().containsAll(expected));
    }

    private Collection<CoordinatorCommandRunner> coordinators() {
        return coordinators.values();
    }

    /** What its end leaves to the next term of this node, for each type. */
    Map<String, EndedReign> ended() {
        Map<String, EndedReign> types = new LinkedHashMap<>();
        coordinators.forEach(
                (type, runner) -> types.put(type, runner.coordinator().ended()));
        return types;
    }

    /** For each type whose waiting time is over, the regions that may hold leases. */
    Map<String, Set<NodeId>> leaseHolders() {
        Map<String, Set<NodeId>> holders = new LinkedHashMap<>();
        coordinators.forEach((type, runner) -> {
            if (runner.coordinator().isOpen()) {
                holders.put(type, runner.coordinator().leaseHolders());
            }
        });
        return holders;
    }
}
