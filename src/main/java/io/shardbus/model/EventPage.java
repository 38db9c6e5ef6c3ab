package io.shardbus.model;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Events of all nodes in the order of their times.
 *
 * @param cursor the place after this page, for the next query; opaque
 * @param more whether there are further events already
 * @param missed for each node that has dropped events before the reader saw them, how many
 * @param silent the members that did not answer: their events come with a later page
 */
public record EventPage(
        List<ClusterEvent> events, String cursor, boolean more, Map<NodeId, Long> missed, Set<NodeId> silent) {
    public EventPage {
        events = List.copyOf(events);
        missed = Map.copyOf(missed);
        silent = Set.copyOf(silent);
    }
}
