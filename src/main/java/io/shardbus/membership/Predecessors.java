package io.shardbus.membership;

import io.shardbus.model.NodeId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Detects lost members that are dead because another process has their place. A place is an address and port in the
 * network of one running system. The kernel gives it to one process at a time, so the process that had it before has
 * ended, or has closed its cluster port. It does that after its regions have ended, or have dropped their leases where
 * its container was stopped while they ran ({@link Membership.Listener#ended}).
 */
final class Predecessors {
    private static final int REMEMBERED = 512;

    private final Map<NodeId, String> places = new LinkedHashMap<>();

    /**
     * Compares the places of lost nodes with those of the members.
     *
     * @param place the place of a member; empty while it is unknown
     * @return nodes that are no longer members, and whose place a member has
     */
    List<NodeId> succeeded(Collection<NodeId> members, Function<NodeId, Optional<String>> place) {
        members.stream()
                .filter(member -> !places.containsKey(member))
                .forEach(member -> place.apply(member).ifPresent(found -> places.put(member, found)));
        Set<String> taken =
                members.stream().filter(places::containsKey).map(places::get).collect(Collectors.toSet());
        List<NodeId> dead =
                lost(members).filter(node -> taken.contains(places.get(node))).toList();
        dead.forEach(places::remove);
        forgetOldest(members);
        return dead;
    }

    private void forgetOldest(Collection<NodeId> members) {
        var lost = lost(members).toList();
        lost.stream().limit(Math.max(0, lost.size() - REMEMBERED)).forEach(places::remove);
    }

    private Stream<NodeId> lost(Collection<NodeId> members) {
        return places.keySet().stream().filter(node -> !members.contains(node));
    }
}
