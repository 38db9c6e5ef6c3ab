package io.shardbus.membership;

import io.shardbus.model.NodeId;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The lost nodes for which this side made its caches unavailable. The caches stay unavailable until one of those nodes
 * is met, all are known to be gone, or this side takes part again: it may have joined a reign that outlived those
 * nodes.
 */
final class Yielding {
    private static final int LOOKS_OF_A_MERGE = 10;

    private final Set<NodeId> to = new LinkedHashSet<>();
    private int looksSinceMet;

    void yieldTo(Set<NodeId> lost) {
        to.addAll(lost);
    }

    /** The node left in good order, or is dead. */
    void gone(NodeId node) {
        to.remove(node);
    }

    void end() {
        to.clear();
    }

    /**
     * Whether the caches stay unavailable so that the lost nodes may go on; called each time the members are read.
     *
     * @param available whether they are available: a merge makes them so itself, with the content of the side that went
     * on, unless there is none
     */
    boolean goesOn(Collection<NodeId> members, boolean available) {
        boolean met = members.stream().anyMatch(to::contains);
        looksSinceMet = met ? looksSinceMet + 1 : 0;
        if (met && (available || looksSinceMet > LOOKS_OF_A_MERGE)) {
            end();
        }
        return !to.isEmpty();
    }
}
