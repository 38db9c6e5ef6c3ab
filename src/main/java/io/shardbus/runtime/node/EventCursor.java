package io.shardbus.runtime.node;

import io.shardbus.model.NodeId;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Cursor of a reader of events: the number of the last event that it has of each node.
 *
 * @param last by node; a node that is not in it has not been read
 */
record EventCursor(Map<NodeId, Long> last) {
    private static final int MOST_NODES = 1_000;

    /**
     * The cursor of a text.
     *
     * @throws IllegalArgumentException for one that is none
     */
    static EventCursor parse(String text) {
        Map<NodeId, Long> last = new TreeMap<>();
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

    String text() {
        return last.entrySet().stream()
                .map(entry -> entry.getKey().value() + "=" + entry.getValue())
                .collect(Collectors.joining(","));
    }
}
