package io.shardbus.runtime.coordinator;

import io.shardbus.NodeId;
import io.shardbus.core.protocol.TermId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Who may hold leases of the last few terms that ended here or in good order elsewhere, by type. A successor of one need not wait for others. */
final class EndedTerms {
    private static final int REMEMBERED = 16;

    private final Map<TermId, Map<String, Set<NodeId>>> holders = new LinkedHashMap<>();

    void remember(TermId ended, Map<String, Set<NodeId>> leaseHolders) {
        if (holders.size() >= REMEMBERED) {
            holders.remove(holders.keySet().iterator().next());
        }
        holders.put(ended, leaseHolders);
    }

    /** Empty when nothing is known of the term. */
    Map<String, Set<NodeId>> leaseHolders(TermId term) {
        return holders.getOrDefault(term, Map.of());
    }
}
