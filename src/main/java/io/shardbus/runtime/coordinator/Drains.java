package io.shardbus.runtime.coordinator;

import io.shardbus.NodeId;
import io.shardbus.core.coordinator.CoordinatorEvent;
import io.shardbus.core.coordinator.CoordinatorView;
import io.shardbus.runtime.node.ElapsedClock;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** The nodes that operators want without shards, of all types in one reign; on the control context. */
public final class Drains {
    private final Collection<CoordinatorCommandRunner> coordinators;
    private final ElapsedClock clock;
    private final BooleanSupplier knowsAllHomes;
    private final Set<NodeId> ordered = new LinkedHashSet<>();

    /**
     * @param coordinators those of the reign at any time
     * @param knowsAllHomes whether no node may have shards of which the reign has not heard
     */
    Drains(Collection<CoordinatorCommandRunner> coordinators, ElapsedClock clock, BooleanSupplier knowsAllHomes) {
        this.coordinators = coordinators;
        this.clock = clock;
        this.knowsAllHomes = knowsAllHomes;
    }

    /** Empties a node, also of types that register later; how many shards it has, if that is known already. */
    public Optional<Integer> drain(NodeId node) {
        ordered.add(node);
        return tell(node, new CoordinatorEvent.DrainRequested(node));
    }

    /** The node may have shards again; how many it has, if that is known already. */
    public Optional<Integer> undrain(NodeId node) {
        ordered.remove(node);
        return tell(node, new CoordinatorEvent.UndrainRequested(node));
    }

    private Optional<Integer> tell(NodeId node, CoordinatorEvent order) {
        coordinators.forEach(runner -> runner.step(order));
        int shards = coordinators.stream()
                .flatMap(runner -> view(runner).regions().stream())
                .filter(region -> region.node().equals(node))
                .mapToInt(CoordinatorView.Region::shards)
                .sum();
        return knowsAllHomes.getAsBoolean() ? Optional.of(shards) : Optional.empty();
    }

    private CoordinatorView view(CoordinatorCommandRunner runner) {
        return runner.coordinator().inspect(clock.now());
    }

    /** A type has got its coordinator. */
    void begun(CoordinatorCommandRunner runner) {
        ordered.forEach(node -> runner.step(new CoordinatorEvent.DrainRequested(node)));
    }

    /** The nodes whose drain holds for one type or more. */
    public Set<NodeId> nodes() {
        return coordinators.isEmpty()
                ? Set.copyOf(ordered)
                : coordinators.stream()
                        .flatMap(runner -> view(runner).drained().stream())
                        .collect(Collectors.toSet());
    }
}
