package io.shardbus.runtime.coordinator;

import io.shardbus.NodeId;
import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.protocol.TermId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The last few terms that ended in good order, with who may still hold their leases, by type. */
final class Abdications {
    private static final int REMEMBERED = 16;

    private final Map<TermId, Map<String, Set<NodeId>>> sessions = new LinkedHashMap<>();

    void add(NodeMessage.Abdicated message) {
        if (sessions.size() >= REMEMBERED) {
            sessions.remove(sessions.keySet().iterator().next());
        }
        sessions.put(message.term(), message.sessions());
    }

    @Nullable
    Map<String, Set<NodeId>> of(TermId term) {
        return sessions.get(term);
    }
}
