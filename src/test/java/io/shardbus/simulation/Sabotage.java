package io.shardbus.simulation;

import io.shardbus.NodeId;
import io.shardbus.StopReason;
import io.shardbus.core.coordinator.CoordinatorEvent;
import io.shardbus.core.entity.FrameItem;
import io.shardbus.core.protocol.TermId;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.core.region.FrameHead;
import io.shardbus.core.region.Lane;
import java.util.List;

/** The places at which a test may break the protocol on purpose. As it is, it breaks nothing. */
class Sabotage {
    boolean awaitPredecessors() {
        return true;
    }

    /** What a lane is told of its lease. */
    long lease(long until) {
        return until;
    }

    /** The term under which a region takes a message. */
    TermId termOf(TermId carried, TermId regions) {
        return carried;
    }

    /** The term under which a coordinator begins. */
    TermId reign(TermId claimed) {
        return claimed;
    }

    ToRegion toRegion(ToRegion message) {
        return message;
    }

    FrameHead head(FrameHead head) {
        return head;
    }

    List<FrameItem> items(Lane receiver, List<FrameItem> items) {
        return items;
    }

    /** What a coordinator hears besides when a member is gone. */
    List<CoordinatorEvent> memberGone(NodeId member) {
        return List.of();
    }

    /** Whether a witness says that a node is dead. */
    boolean isDead(boolean really) {
        return really;
    }

    /** Whether lanes hear that their lease is lost. */
    boolean passesOn(StopReason reason) {
        return true;
    }

    boolean occupiesThread(boolean really) {
        return really;
    }
}
