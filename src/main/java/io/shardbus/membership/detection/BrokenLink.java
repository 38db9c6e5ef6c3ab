package io.shardbus.membership.detection;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A member reports that it hears nothing from another one.
 *
 * @param <M> what identifies a member
 */
record BrokenLink<M>(M deaf, M unheard) {
    BrokenLink<M> reverse() {
        return new BrokenLink<>(unheard, deaf);
    }

    private boolean touches(M member) {
        return deaf.equals(member) || unheard.equals(member);
    }

    /**
     * The members to exclude so that all others hear each other. A link is dead if both ends say so: a member that
     * alone hears nothing of others, because it was frozen or has no time, gets no other member excluded. Of several
     * candidates goes the one with the most dead links, then the one with the most reports by it or of it, then the
     * youngest. The first member stays. No member goes if half of the members or less would be left.
     *
     * @param members of the view, the oldest first; reports by others and of others do not count
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
