package io.shardbus.core.splitbrain;

import io.shardbus.core.splitbrain.SplitCommand.AskArbiter;
import io.shardbus.core.splitbrain.SplitCommand.ReleaseArbiter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stamps of the arbiter's lease as one node knows them: for each owner it asked for, the stamp that the lease was last
 * seen to bear. If a lease has had the same stamp for as long as it must be kept, it was not taken again in the same
 * name. Then no side needs it any more, and each node that knows that gives it back, also for another node.
 */
final class LeaseStamps {
    private static final String UNKNOWN = "";

    private final long keptFor;
    private final Map<String, String> seen = new LinkedHashMap<>();
    /** The owners in whose name other nodes may also have asked. */
    private final Set<String> shared = new HashSet<>();

    /** Stamps of this node's requests without an answer, by owner: the lease may have them. */
    private final Map<String, Set<String>> unanswered = new HashMap<>();

    private long releaseAt;

    LeaseStamps(long keptFor) {
        this.keptFor = keptFor;
    }

    void granted(AskArbiter asking, long now) {
        unanswered.remove(asking.owner());
        seen(asking, asking.stamp(), now);
    }

    /** The owner may have the lease, by a request without an answer. */
    void mayBeTaken(AskArbiter asking, long now) {
        unanswered
                .computeIfAbsent(asking.owner(), owner -> new LinkedHashSet<>())
                .add(asking.stamp());
        seen(asking, seen.getOrDefault(asking.owner(), UNKNOWN), now);
    }

    private void seen(AskArbiter asking, String stamp, long now) {
        if (asking.shared()) {
            shared.add(asking.owner());
        }
        seen(asking.owner(), stamp, now);
    }

    private void seen(String owner, String stamp, long now) {
        seen.put(owner, stamp);
        releaseAt = now + keptFor;
    }

    void postpone(long millis) {
        releaseAt += millis;
    }

    /** @param stamp of the lease now, null if the owner does not have it any more */
    void answered(ReleaseArbiter released, @Nullable String stamp, long now) {
        if (!released.stamp().equals(seen.get(released.owner()))) {
            // taken by this node meanwhile
            return;
        }
        if (stamp == null) {
            seen.remove(released.owner());
            shared.remove(released.owner());
            unanswered.remove(released.owner());
        } else {
            seen(released.owner(), stamp, now);
        }
    }

    /** The leases to give back now; once more later if there is no answer. */
    List<ReleaseArbiter> due(long now) {
        if (seen.isEmpty() || now < releaseAt) {
            return List.of();
        }
        releaseAt = now + keptFor;
        return all();
    }

    /** The leases that only this node can use, also those that were taken a moment ago. */
    List<ReleaseArbiter> ownOnly() {
        List<ReleaseArbiter> own = new ArrayList<>();
        for (ReleaseArbiter held : all()) {
            if (!shared.contains(held.owner())) {
                Set<String> stamps = new LinkedHashSet<>(Set.of(held.stamp()));
                stamps.addAll(unanswered.getOrDefault(held.owner(), Set.of()));
                stamps.remove(UNKNOWN);
                stamps.forEach(stamp -> own.add(new ReleaseArbiter(held.owner(), stamp)));
            }
        }
        return own;
    }

    private List<ReleaseArbiter> all() {
        return seen.entrySet().stream()
                .map(entry -> new ReleaseArbiter(entry.getKey(), entry.getValue()))
                .toList();
    }
}
