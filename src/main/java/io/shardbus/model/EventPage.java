package io.shardbus.model;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Events of all nodes in the order of their times.
 *
 * @param cursor what to read on from; opaque
 * @param more whether there are more already
 * @param missed for each node that has forgotten events that the reader has not seen, how many
 * @param silent the members that did not answer: what they recorded comes with a later page
 */
public record EventPage(
        List<ClusterEvent> events, String cursor, boolean more, Map<NodeId, Long> missed, Set<NodeId> silent) {
    public EventPage {
        events = List.copyOf(events);
        missed = Map.copyOf(missed);
        silent = Set.copyOf(silent);
    }
}
