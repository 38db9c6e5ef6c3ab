package io.shardbus.core.allocation;

import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.NodeId;

/**
 * Gate of the rebalancing. It is not while a member cannot be reached or is joining, nor in the middle of a rolling
 * update, when regions run different application versions: the balance would be computed for a cluster that is about
 * to change.
 */
final class RebalanceGate {
    private RebalanceGate() {}

    static boolean isOpen(AllocationSnapshot snapshot) {
        return !snapshot.regions().isEmpty()
                && !snapshot.memberUnreachable()
                && !snapshot.memberJoining()
                && sameVersionEverywhere(snapshot);
    }

    private static boolean sameVersionEverywhere(AllocationSnapshot snapshot) {
        NodeId first = snapshot.regions().iterator().next();
        String version = snapshot.region(first).appVersion();
        return snapshot.regions().stream()
                .allMatch(node -> AppVersionOrder.OLDER_FIRST.compare(
                                version, snapshot.region(node).appVersion())
                        == 0);
    }
}
