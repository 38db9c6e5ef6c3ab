package io.shardbus.core.control;

import io.shardbus.model.NodeId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Members that have said nothing of themselves for long: their sharding has ended, and their goodbye was lost, or they
 * run a build that this one cannot read. A member that begins to shard publishes its attributes at once, and after a
 * merge, or where they were lost otherwise, within ten seconds. Moments are elapsed milliseconds.
 */
final class SilentMembers {
    /** In milliseconds: three times as long as members take to publish what was lost. */
    static final long LONGEST_PAUSE = 30_000;

    private final Map<NodeId, Long> since = new LinkedHashMap<>();
    private final Set<NodeId> silent = new LinkedHashSet<>();

    /** @param told the members that have said what they are */
    void look(Collection<NodeId> members, Collection<NodeId> told, long now) {
        since.keySet().retainAll(members);
        since.keySet().removeAll(told);
        silent.retainAll(since.keySet());
        members.stream().filter(member -> !told.contains(member)).forEach(member -> since.putIfAbsent(member, now));
    }

    /** Time passed; whether there is another one now. */
    boolean tick(long now) {
        boolean more = false;
        for (Map.Entry<NodeId, Long> each : since.entrySet()) {
            more |= now - each.getValue() >= LONGEST_PAUSE && silent.add(each.getKey());
        }
        return more;
    }

    boolean contains(NodeId member) {
        return silent.contains(member);
    }
}
