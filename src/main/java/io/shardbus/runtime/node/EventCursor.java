package io.shardbus.runtime.node;

import io.shardbus.model.NodeId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Cursor of a reader of events: the number of the last event that it has of each node. A node that is out of the view
 * may come back as the same process with the same events: its number is kept.
 *
 * @param last by node, first the members, then nodes out of the view, the one that left last first; a node that is not
 *     in it has not been read
 */
record EventCursor(Map<NodeId, Long> last) {
    private static final int MOST_NODES = 1_000;
    /** A cursor is in a header of HTTP, or in the path. */
    private static final int MOST_OUT_OF_VIEW = 20;

    /**
     * The cursor of a text.
     *
     * @throws IllegalArgumentException for one that is none
     */
    static EventCursor parse(String text) {
        Map<NodeId, Long> last = new LinkedHashMap<>();
        if (!text.isEmpty()) {
            String[] parts = text.split(",", MOST_NODES + 1);
            for (String part : parts) {
                int at = part.lastIndexOf('=');
                if (at <= 0
                        || parts.length > MOST_NODES
                        || !part.substring(at + 1).matches("[0-9]{1,18}")) {
                    throw new IllegalArgumentException("not a cursor of events: leave it out to read all");
                }
                last.put(new NodeId(part.substring(0, at)), Long.parseLong(part.substring(at + 1)));
            }
        }
        return new EventCursor(last);
    }

    long after(NodeId node) {
        return last.getOrDefault(node, 0L);
    }

    /**
     * The cursor after a page.
     *
     * @param read the number of the last event that the page has of each node that has any
     */
    EventCursor next(Map<NodeId, Long> read, Collection<NodeId> members) {
        Map<NodeId, Long> present = new TreeMap<>(last);
        present.putAll(read);
        present.keySet().retainAll(members);
        Map<NodeId, Long> next = new LinkedHashMap<>(present);
        last.entrySet().stream()
                .filter(entry -> !members.contains(entry.getKey()))
                .limit(MOST_OUT_OF_VIEW)
                .forEach(entry -> next.put(entry.getKey(), entry.getValue()));
        return new EventCursor(next);
    }

    String text() {
        return last.entrySet().stream()
                .map(entry -> entry.getKey().value() + "=" + entry.getValue())
                .collect(Collectors.joining(","));
    }
}
