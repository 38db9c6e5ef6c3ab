package io.shardbus.membership.detection;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A member that does not hear another one, while others hear both.
 *
 * @param <M> what identifies a member
 */
record BrokenLink<M>(M deaf, M unheard) {
    private boolean touches(M member) {
        return deaf.equals(member) || unheard.equals(member);
    }

    /**
     * Who must go so that all who are left hear each other: whoever has the most broken links first, the youngest of several.
     * The first member stays. Nobody goes if half of the members or less would be left.
     *
     * @param members of the view, the oldest first; links of others do not count
     */
    static <M> Set<M> without(List<M> members, Collection<BrokenLink<M>> broken) {
        var links = broken.stream()
                .filter(link -> members.contains(link.deaf) && members.contains(link.unheard))
                .collect(Collectors.toSet());
        var gone = new HashSet<M>();
        while (!links.isEmpty()) {
            var next = members.stream()
                    .skip(1)
                    .max(Comparator.comparingLong((M member) -> links.stream()
                                    .filter(link -> link.touches(member))
                                    .count())
                            .thenComparing(members::indexOf))
                    .orElseThrow();
            gone.add(next);
            links.removeIf(link -> link.touches(next));
        }
        return 2 * (members.size() - gone.size()) > members.size() ? gone : Set.of();
    }
}
