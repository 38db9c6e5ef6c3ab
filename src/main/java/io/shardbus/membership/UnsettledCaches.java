package io.shardbus.membership;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** How long caches have been without rest in one topology, in looks of the one who asks. */
final class UnsettledCaches {
    /** What is not at rest: a cache, and the number of its topology. */
    record Topology(String cache, int number) {}

    /** Each step of a change has a topology of its own, and takes milliseconds, on a busy machine a second or two. */
    static final int LOOKS_BEFORE_RECOVERY = 10;

    private Map<Topology, Integer> looks = new HashMap<>();

    /**
     * Takes one look.
     *
     * @param unsettled all caches that are not at rest now
     * @return one that has been in the same topology for {@value #LOOKS_BEFORE_RECOVERY} looks after the first; the
     *     count begins anew then
     */
    Optional<Topology> look(Collection<Topology> unsettled) {
        Map<Topology, Integer> seen = new HashMap<>();
        unsettled.forEach(topology -> seen.put(topology, looks.getOrDefault(topology, -1) + 1));
        looks = seen;
        var stuck = seen.entrySet().stream()
                .filter(entry -> entry.getValue() >= LOOKS_BEFORE_RECOVERY)
                .map(Map.Entry::getKey)
                .findFirst();
        stuck.ifPresent(found -> clear());
        return stuck;
    }

    void clear() {
        looks.clear();
    }
}
