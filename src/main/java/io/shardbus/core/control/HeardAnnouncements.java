package io.shardbus.core.control;

import io.shardbus.model.NodeId;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The latest announcement of a shutdown that was heard of each node that announces. A node repeats an announcement
 * until each member has heard it, so one may arrive after its cancellation.
 */
final class HeardAnnouncements {
    private static final int MOST_NODES = 1_000;

    private final Map<NodeId, Long> latest = new LinkedHashMap<>();

    /** Whether no later announcement of the same node was heard before. */
    boolean isNews(ShutdownAnnouncement said) {
        NodeId by = said.by();
        if (by == null) {
            return true;
        }
        long known = latest.getOrDefault(by, 0L);
        if (said.number() < known) {
            return false;
        }
        latest.remove(by);
        latest.put(by, said.number());
        if (latest.size() > MOST_NODES) {
            latest.remove(latest.keySet().iterator().next());
        }
        return true;
    }
}
