package io.shardbus.membership;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Counts for how many looks of the caller a cache has not been at rest in the same topology. */
final class UnsettledCaches {
    /** A cache that is not at rest, and the number of its topology. */
    record Topology(String cache, int number) {}

    /** Each step of a change has its own topology, and takes milliseconds, on a busy machine a second or two. */
    static final int LOOKS_BEFORE_RECOVERY = 10;

    private Map<Topology, Integer> looks = new HashMap<>();

    /**
     * Takes one look.
     *
     * @param unsettled all caches that are not at rest now
     * @return a cache that has been in the same topology for {@value #LOOKS_BEFORE_RECOVERY} looks after the first; all
     *     counts begin again then
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
