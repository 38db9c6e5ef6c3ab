package io.shardbus.runtime.control;

import io.shardbus.core.control.ElectionCommand;
import io.shardbus.core.control.Peers;
import io.shardbus.core.coordinator.CoordinatorCommand;
import io.shardbus.core.coordinator.EndedMove;
import io.shardbus.core.coordinator.PlacedShard;
import io.shardbus.core.splitbrain.SplitCommand;
import io.shardbus.model.ClusterEvent;
import io.shardbus.model.ClusterEvent.Kind;
import io.shardbus.model.FencingToken;
import io.shardbus.model.HoldUp;
import io.shardbus.model.LossReason;
import io.shardbus.model.NodeId;
import io.shardbus.runtime.events.EventRing;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** Records what the control plane of this node sees and decides as events; on the control context. */
final class EventRecorder {
    private static final String TERM = "term";
    private static final String TYPE = "type";
    private static final String LOST = "lost";
    private static final String REASON = "reason";
    private static final String CLUSTER = "cluster";

    private final NodeId self;
    private final EventRing ring;
    private final Function<NodeId, LossReason> reasons;
    /** Members whose loss was recorded and is not decided yet. */
    private final Set<NodeId> lost = new TreeSet<>();

    private boolean someCameBack;

    /** @param reasons the sign by which the loss of a member was noticed */
    EventRecorder(NodeId self, EventRing ring, Function<NodeId, LossReason> reasons) {
        this.reasons = reasons;
        this.self = self;
        this.ring = ring;
    }

    void nodesChanged(Peers.Change change) {
        someCameBack |= change.come().stream().anyMatch(lost::contains);
        if (!lost.isEmpty()) {
            lost.addAll(change.vanished());
        }
        change.come().forEach(node -> ring.add(Kind.NODE_JOINED, node.value(), Map.of()));
        change.gone().forEach(node -> {
            if (change.vanished().contains(node)) {
                ring.add(Kind.NODE_LOST, node.value(), Map.of(REASON, ClusterEvent.text(reasons.apply(node))));
            } else {
                ring.add(Kind.NODE_LEFT, node.value(), Map.of());
            }
        });
    }

    void provenDead(NodeId node) {
        ring.add(Kind.NODE_DEAD, node.value(), Map.of());
    }

    void elected(ElectionCommand command) {
        if (command instanceof ElectionCommand.Begin begin) {
            ring.add(Kind.TERM_BEGAN, self.value(), Map.of(TERM, begin.term().number()));
        } else if (command instanceof ElectionCommand.StepDown end) {
            ring.add(Kind.TERM_ENDED, self.value(), Map.of(TERM, end.term().number(), REASON, end.reason()));
        } else if (command instanceof ElectionCommand.TermBelieved believed && believed.coordinator() != null) {
            ring.add(
                    Kind.TERM_FOLLOWED,
                    believed.coordinator().value(),
                    Map.of(TERM, believed.term().number()));
        }
    }

    void decided(SplitCommand command) {
        if (command instanceof SplitCommand.Hold hold) {
            lost.addAll(hold.lost());
            someCameBack = false;
            ring.add(Kind.LOSS_UNDECIDED, CLUSTER, Map.of(LOST, names(hold.lost())));
        } else if (command instanceof SplitCommand.GoOn goOn) {
            lost.clear();
            ring.add(Kind.LOSS_WENT_ON, CLUSTER, Map.of(LOST, names(goOn.lost()), REASON, goOn.reason()));
        } else if (command instanceof SplitCommand.Stop stop) {
            ring.add(Kind.SPLIT_STOPPED, CLUSTER, Map.of(LOST, names(stop.lost()), REASON, stop.reason()));
        } else if (command instanceof SplitCommand.Rejoin rejoin) {
            ended(rejoin);
        }
    }

    /** All that were lost are back, or are proven to have ended: where none is back there was no split. */
    private void ended(SplitCommand.Rejoin rejoin) {
        if (rejoin.stopped() || someCameBack || lost.isEmpty()) {
            ring.add(Kind.SPLIT_ENDED, CLUSTER, Map.of());
        } else {
            ring.add(Kind.LOSS_SETTLED, CLUSTER, Map.of(LOST, names(lost)));
        }
        lost.clear();
    }

    private static String names(Collection<NodeId> nodes) {
        return new TreeSet<>(nodes).toString();
    }

    void placed(String type, PlacedShard placed) {
        Map<String, Object> details = details(type, placed.shard(), placed.durationMs(), placed.token());
        details.put("to", placed.home().value());
        ring.add(Kind.SHARD_PLACED, type + "/" + placed.shard(), details);
    }

    private static Map<String, Object> details(String type, int shard, long durationMs, FencingToken token) {
        Map<String, Object> details = new HashMap<>();
        details.put(TYPE, type);
        details.put("shard", (long) shard);
        details.put("durationMs", durationMs);
        details.put(TERM, token.term());
        details.put("sequence", token.sequence());
        return details;
    }

    void moved(String type, EndedMove move) {
        Map<String, Object> details = details(type, move.shard(), move.durationMs(), move.token());
        details.put("cause", ClusterEvent.text(move.cause()));
        details.put("from", move.from().value());
        NodeId to = move.to();
        if (to == null) {
            addCause(move.heldUp(), details);
            ring.add(Kind.SHARD_STAYED, type + "/" + move.shard(), details);
            return;
        }
        details.put("to", to.value());
        details.put("homelessMs", move.homelessMs());
        details.put("forced", move.forced());
        ring.add(Kind.SHARD_MOVED, type + "/" + move.shard(), details);
    }

    private static void addCause(HoldUp heldUp, Map<String, Object> details) {
        String entity = heldUp.entity();
        if (entity != null) {
            details.put("entity", entity);
            details.put("entityMs", heldUp.entityMs());
        }
        if (!heldUp.undrained().isEmpty()) {
            details.put("undrained", names(heldUp.undrained()));
        }
    }

    void noted(String type, long term, CoordinatorCommand.Report report) {
        ring.add(Kind.NOTE, type, Map.of(TYPE, type, TERM, term, "text", report.text(), "warning", report.warning()));
    }
}
