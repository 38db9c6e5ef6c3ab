package io.shardbus.core.splitbrain;

import io.shardbus.model.NodeId;
import io.shardbus.model.SplitMember;
import io.shardbus.model.SplitMember.Status;
import io.shardbus.model.SplitSnapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The members of the behaviours: addresses rise from A to G; by age E is the oldest, then D, C, B, A, F, G; role2 have
 * C and D, role3 A, B and D. j joining, l leaving, x departing, d excluded.
 */
final class SplitScenes {
    private static final String BY_AGE = "EDCBAFG";
    private static final Map<Character, Status> STATUS =
            Map.of('j', Status.JOINING, 'l', Status.LEAVING, 'x', Status.DEPARTING, 'd', Status.EXCLUDED);

    private SplitScenes() {}

    /** "A,lB | C": who decides, and whom they have lost. */
    static SplitSnapshot split(String scene) {
        String[] sides = scene.split(" *\\| *", -1);
        List<SplitMember> all = new ArrayList<>(members(sides[0]));
        List<SplitMember> lost = members(sides[1]);
        all.addAll(lost);
        all.sort(Comparator.comparing(member -> BY_AGE.indexOf(member.node().value())));
        return new SplitSnapshot(all, lost.stream().map(SplitMember::node).collect(Collectors.toSet()), false);
    }

    /** "A,lB", the oldest first. */
    static List<SplitMember> members(String text) {
        return Arrays.stream(text.split(","))
                .filter(word -> !word.isBlank())
                .map(SplitScenes::member)
                .sorted(Comparator.comparing(
                        member -> BY_AGE.indexOf(member.node().value())))
                .toList();
    }

    static SplitMember member(String word) {
        String name = word.substring(word.length() - 1);
        Status status = word.length() == 1 ? Status.UP : STATUS.get(word.charAt(0));
        Set<String> roles = Set.of("CD".contains(name) ? "role2" : "", "ABD".contains(name) ? "role3" : "none");
        return new SplitMember(new NodeId(name), roles, status);
    }

    static Set<NodeId> nodes(String text) {
        return members(text).stream().map(SplitMember::node).collect(Collectors.toSet());
    }
}
