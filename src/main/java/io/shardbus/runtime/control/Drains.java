package io.shardbus.runtime.control;

import io.shardbus.core.control.ControlLoop;
import io.shardbus.core.control.NodeControl;
import io.shardbus.core.control.Reign;
import io.shardbus.model.NodeId;
import java.util.Optional;
import java.util.Set;

/** The nodes that operators want without shards, of all types in one reign; on the control context. */
public final class Drains {
    private final NodeControl control;
    private final ControlLoop loop;
    private final Reign reign;
    private final long now;

    Drains(NodeControl control, ControlLoop loop, Reign reign, long now) {
        this.control = control;
        this.loop = loop;
        this.reign = reign;
        this.now = now;
    }

    /** Empties a node, also of types that register later; how many shards it has, if that is known already. */
    public Optional<Integer> drain(NodeId node) {
        return order(node, true);
    }

    /** The node may have shards again; how many it has, if that is known already. */
    public Optional<Integer> undrain(NodeId node) {
        return order(node, false);
    }

    private Optional<Integer> order(NodeId node, boolean wanted) {
        loop.run((machine, at) -> machine.drain(node, wanted, at));
        return control.shardsOn(node);
    }

    /** The nodes whose drain holds for one type or more. */
    public Set<NodeId> nodes() {
        return reign.drained(now);
    }
}
