package io.shardbus.runtime.coordinator;

import io.shardbus.core.coordinator.CoordinatorEvent;
import io.shardbus.core.coordinator.CoordinatorView;
import io.shardbus.runtime.node.ElapsedClock;
import org.jspecify.annotations.Nullable;

/** What operators may ask of a coordinator; on the control context. */
public final class CoordinatorDesk {
    /**
     * One type's.
     *
     * @param desk null if no region of the type has registered in this reign
     * @param late whether those that were there before this reign have had their time to register
     */
    public record OfType(@Nullable CoordinatorDesk desk, boolean late) {}

    private final CoordinatorCommandRunner runner;
    private final ElapsedClock clock;

    CoordinatorDesk(CoordinatorCommandRunner runner, ElapsedClock clock) {
        this.runner = runner;
        this.clock = clock;
    }

    public CoordinatorView view() {
        return runner.coordinator().inspect(clock.now());
    }

    public boolean isOpen() {
        return runner.coordinator().isOpen();
    }

    /** How many hosting regions the type lacks before its first shard may have a home. */
    public int missingMembers() {
        return runner.coordinator().missingMembers();
    }

    /** Looks for moves now; the number of handoffs that this began. */
    public int rebalance() {
        int before = runner.coordinator().snapshot().inHandoff().size();
        runner.step(new CoordinatorEvent.RebalanceRequested());
        return runner.coordinator().snapshot().inHandoff().size() - before;
    }
}
