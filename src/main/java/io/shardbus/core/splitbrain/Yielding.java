package io.shardbus.core.splitbrain;

import io.shardbus.model.NodeId;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The lost nodes in whose favour this side made its caches unavailable. The caches stay unavailable until one of those
 * nodes is back in the view and the time for a merge has passed, all of them are known to have left or died, or this
 * side takes part again: it may have joined a reign that outlived those nodes.
 */
final class Yielding {
    private final Set<NodeId> to = new LinkedHashSet<>();
    private final MergeTime merge = new MergeTime();
    private boolean met;

    void yieldTo(Set<NodeId> lost) {
        to.addAll(lost);
    }

    /** Call it once a second. */
    void secondPassed() {
        merge.secondPassed();
    }

    /** The node left in good order, or is dead. */
    void gone(NodeId node) {
        to.remove(node);
    }

    void end() {
        to.clear();
        met = false;
    }

    /**
     * Whether the caches stay unavailable in favour of the lost nodes; called each time the members are read.
     *
     * @param available whether the caches are available: a merge makes them available with the content of the side that
     *     went on, if there is one
     */
    boolean goesOn(Collection<NodeId> members, boolean available) {
        boolean meets = members.stream().anyMatch(to::contains);
        if (meets && !met) {
            merge.begin();
        }
        met = meets;
        if (met && (available || merge.isOver())) {
            end();
        }
        return !to.isEmpty();
    }
}
