package io.shardbus.membership.detection;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Report of a member that it hears nothing from another one.
 *
 * @param <M> identifier of a member
 * @param deaf the member that reports
 * @param unheard the member that it does not hear
 */
record BrokenLink<M>(M deaf, M unheard) {
    BrokenLink<M> reverse() {
        return new BrokenLink<>(unheard, deaf);
    }

    private boolean touches(M member) {
        return deaf.equals(member) || unheard.equals(member);
    }

    /**
     * The members to exclude so that all others hear each other. A link is dead only if both ends report it: a member
     * that alone hears nothing from others, because it was frozen or is overloaded, gets no other member excluded. Of
     * several candidates the one with the most dead links is excluded; of several of these the one with the most
     * reports, by it or about it; then the youngest. The first member is never excluded. No member is excluded if half
     * of the members or fewer would remain.
     *
     * @param members of the view, the oldest first; reports by or about other nodes are ignored
     */
    static <M> Set<M> without(List<M> members, Set<BrokenLink<M>> reports) {
        var known = reports.stream()
                .filter(link -> members.contains(link.deaf) && members.contains(link.unheard))
                .collect(Collectors.toSet());
        var dead = known.stream().filter(link -> known.contains(link.reverse())).collect(Collectors.toSet());
        var gone = new HashSet<M>();
        while (!dead.isEmpty()) {
            var next = members.stream()
                    .skip(1)
                    .max(Comparator.comparingLong((M member) -> touching(member, dead))
                            .thenComparingLong(member -> touching(member, known))
                            .thenComparingInt(members::indexOf))
                    .orElseThrow();
            gone.add(next);
            dead.removeIf(link -> link.touches(next));
        }
        return 2 * (members.size() - gone.size()) > members.size() ? gone : Set.of();
    }

    private static <M> long touching(M member, Set<BrokenLink<M>> links) {
        return links.stream().filter(link -> link.touches(member)).count();
    }
}
