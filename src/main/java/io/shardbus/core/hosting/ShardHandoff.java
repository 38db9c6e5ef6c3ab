package io.shardbus.core.hosting;

import io.shardbus.core.protocol.ToRegion.BeginHandoff;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import java.util.HashSet;
import java.util.Set;

/** The present handoff of a shard, or its last one: its version, and the participants that have yet to drain. */
final class ShardHandoff {
    private FencingToken version = FencingToken.NONE;
    /** Version of the latest aborted handoff; handoffs of this version and of earlier ones do not begin any more. */
    private FencingToken aborted = FencingToken.NONE;

    private Set<NodeId> undrained = Set.of();
    private long since;

    FencingToken version() {
        return version;
    }

    boolean isAborted(FencingToken of) {
        return !of.isNewerThan(aborted);
    }

    /**
     * Begins a handoff, or takes out participants that need not drain any more where it is under way.
     *
     * @return whether it is a new one
     */
    boolean begin(BeginHandoff message, long now) {
        boolean isNew = message.version().isNewerThan(version);
        if (isNew) {
            version = message.version();
            undrained = new HashSet<>(message.participants());
            since = now;
        } else if (message.version().equals(version)) {
            undrained.retainAll(message.participants());
        }
        return isNew;
    }

    void drained(Set<NodeId> nodes) {
        undrained.removeAll(nodes);
    }

    void drained(NodeId node, FencingToken of) {
        if (of.equals(version)) {
            undrained.remove(node);
        }
    }

    /** Participants that have not drained; what is left of an earlier handoff where none is under way. */
    Set<NodeId> undrained() {
        return undrained;
    }

    /** When it began. */
    long since() {
        return since;
    }

    boolean isDrained() {
        return undrained.isEmpty();
    }

    /** The participants that have not drained for this many milliseconds. */
    Set<NodeId> lateDrains(long patience, long now) {
        return now - since >= patience ? undrained : Set.of();
    }

    /** Whether the present handoff is over with it. */
    boolean abort(FencingToken of) {
        if (of.isNewerThan(aborted)) {
            aborted = of;
        }
        return isAborted(version);
    }
}
