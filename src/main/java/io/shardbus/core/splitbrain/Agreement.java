package io.shardbus.core.splitbrain;

import io.shardbus.model.NodeId;
import io.shardbus.model.SafetyOptions;
import io.shardbus.model.SplitMember;
import io.shardbus.model.SplitMember.Status;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Agreement of the members on the options by which they decide about splits; it names those that differ. While options
 * differ, or are not known of a member, no side goes on without the majority: two sides that decide by different rules
 * could both go on.
 *
 * <p>Which options the cluster has is settled while it is whole: at once if all members agree; otherwise by the options
 * of most members, or else of the oldest, once no member has come or gone for longer than it takes to notice a loss. So
 * members that join one side of a cut that is not noticed yet do not outvote the other side.
 */
final class Agreement {
    private static final long NEVER = Long.MIN_VALUE;

    private final NodeId self;
    private final SafetyOptions own;
    private final long settling;
    private Map<NodeId, SafetyOptions> seen = Map.of();
    private long unchangedSince = NEVER;
    private @Nullable SafetyOptions clusters;
    private @Nullable SplitMember different;
    /** The difference that was told last. */
    private @Nullable String told;

    /**
     * @param settling how long members that differ must have been together before the more numerous count, in
     * milliseconds
     */
    Agreement(NodeId self, SafetyOptions own, long settling) {
        this.self = self;
        this.own = own;
        this.settling = settling;
    }

    /** Whether every one of these members is known to have this node's options. */
    boolean isUnanimous(Collection<SplitMember> members) {
        return members.stream().filter(Agreement::counts).allMatch(member -> own.equals(optionsOf(member)));
    }

    /** The cluster is whole with these members, the oldest first. */
    void whole(Collection<SplitMember> members, long now) {
        List<SplitMember> counted = members.stream().filter(Agreement::counts).toList();
        different = counted.stream()
                .filter(member -> {
                    SafetyOptions options = optionsOf(member);
                    return options != null && !own.equals(options);
                })
                .findFirst()
                .orElse(null);
        if (isUnanimous(counted)) {
            clusters = own;
            seen = Map.of();
            return;
        }
        Map<NodeId, SafetyOptions> next = new LinkedHashMap<>();
        counted.forEach(
                member -> next.put(member.node(), Objects.requireNonNullElse(optionsOf(member), SafetyOptions.NONE)));
        if (!next.equals(seen)) {
            seen = next;
            unchangedSince = now;
        }
        if (now >= unchangedSince + settling) {
            clusters = mostNumerous(counted);
        }
    }

    /** The clock gained time that may not have passed: members that differ must be together for that much longer. */
    void postpone(long millis) {
        unchangedSince += unchangedSince == NEVER ? 0 : millis;
    }

    /** Whether this node has the cluster's options, as far as they are settled; only such a node coordinates. */
    boolean isSettledOnOwn() {
        return own.equals(clusters);
    }

    /**
     * The difference between this node and the cluster, or a member of it while the cluster's options are not settled;
     * null if there is none.
     */
    @Nullable
    String misfit() {
        if (clusters != null) {
            return own.equals(clusters) ? null : "the cluster: " + own.differenceFrom(clusters);
        }
        return difference();
    }

    /** The difference between this node and another member of the cluster; null if none is known. */
    @Nullable
    String difference() {
        SplitMember other = different;
        return other == null
                ? null
                : other.node() + ": "
                        + own.differenceFrom(Objects.requireNonNullElse(other.options(), SafetyOptions.NONE));
    }

    /** A warning for operators, once for each difference: this node's from the cluster, or another member's. */
    Optional<String> news() {
        String misfit = misfit();
        String found = misfit != null ? misfit : difference();
        boolean isNews = found != null && !found.equals(told);
        told = found;
        String consequence = misfit != null
                ? "this node does not coordinate and is not ready until they are the same"
                : "no side of a split goes on without the majority until they are the same";
        return isNews
                ? Optional.of("options that must be the same on all nodes differ from " + found + "; " + consequence)
                : Optional.empty();
    }

    private @Nullable SafetyOptions optionsOf(SplitMember member) {
        return member.node().equals(self) ? own : member.options();
    }

    private SafetyOptions mostNumerous(List<SplitMember> members) {
        Map<SafetyOptions, Integer> votes = new LinkedHashMap<>();
        for (SplitMember member : members) {
            SafetyOptions options = optionsOf(member);
            if (options != null) {
                votes.merge(options, 1, Integer::sum);
            }
        }
        SafetyOptions found = own;
        int most = 0;
        for (Map.Entry<SafetyOptions, Integer> vote : votes.entrySet()) {
            if (vote.getValue() > most) {
                found = vote.getKey();
                most = vote.getValue();
            }
        }
        return found;
    }

    /** Whether the member counts: one that has said goodbye runs nothing and decides nothing. */
    private static boolean counts(SplitMember member) {
        return member.status() != Status.DEPARTING && member.status() != Status.EXCLUDED;
    }
}
