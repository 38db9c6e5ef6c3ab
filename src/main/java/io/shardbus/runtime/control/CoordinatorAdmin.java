package io.shardbus.runtime.control;

import io.shardbus.core.control.ControlLoop;
import io.shardbus.core.coordinator.Coordinator;
import io.shardbus.core.coordinator.CoordinatorEvent;
import io.shardbus.core.coordinator.CoordinatorView;
import io.shardbus.runtime.clock.ElapsedClock;
import org.jspecify.annotations.Nullable;

/** What operators may ask of a coordinator; on the control context. */
public final class CoordinatorAdmin {
    /**
     * One type's.
     *
     * @param desk null if no region of the type has registered in this reign
     * @param late whether those that were there before this reign have had their time to register
     */
    public record OfType(@Nullable CoordinatorAdmin desk, boolean late) {}

    private final String type;
    private final Coordinator coordinator;
    private final ControlLoop loop;
    private final ElapsedClock clock;

    CoordinatorAdmin(String type, Coordinator coordinator, ControlLoop loop, ElapsedClock clock) {
        this.type = type;
        this.coordinator = coordinator;
        this.loop = loop;
        this.clock = clock;
    }

    public CoordinatorView view() {
        return coordinator.inspect(clock.now());
    }

    public boolean isOpen() {
        return coordinator.isOpen();
    }

    /** How many hosting regions the type lacks before its first shard may have a home. */
    public int missingMembers() {
        return coordinator.missingMembers();
    }

    /** Looks for moves now; the number of handoffs that this began. */
    public int rebalance() {
        int before = coordinator.snapshot().inHandoff().size();
        loop.run((machine, at) ->
                machine.coordinate(type, coordinator.term(), new CoordinatorEvent.RebalanceRequested(), at));
        return coordinator.snapshot().inHandoff().size() - before;
    }
}
