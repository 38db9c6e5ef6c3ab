package io.shardbus.core.control;

import io.shardbus.core.coordinator.EndedReign;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The leases that may still run of the last few terms, by entity type: of terms of this node that ended, and of terms
 * that another node gave up in good order. The next reign waits for these leases only.
 */
public final class EndedTerms {
    private static final int REMEMBERED = 16;

    private final Map<TermId, Map<String, EndedReign>> reigns = new LinkedHashMap<>();

    /** A term of another node: it lists the holders of leases only for types of which it knew all. */
    public void abdicated(TermId ended, Map<String, Set<NodeId>> leaseHolders) {
        Map<String, EndedReign> types = new LinkedHashMap<>();
        leaseHolders.forEach((type, holders) -> types.put(type, new EndedReign(holders)));
        remember(ended, types);
    }

    public void remember(TermId ended, Map<String, EndedReign> types) {
        if (reigns.size() >= REMEMBERED && !reigns.containsKey(ended)) {
            reigns.remove(reigns.keySet().iterator().next());
        }
        reigns.put(ended, types);
    }

    /** The clock gained time that may not have passed: it is not known any more how long ago earlier moments were. */
    public void forgetMoments() {
        reigns.replaceAll((term, types) -> {
            Map<String, EndedReign> open = new LinkedHashMap<>(types);
            open.values().removeIf(ended -> !ended.wasOpen());
            return open;
        });
    }

    /** Empty when nothing is known of the term. */
    public Map<String, EndedReign> of(TermId term) {
        return reigns.getOrDefault(term, Map.of());
    }
}
