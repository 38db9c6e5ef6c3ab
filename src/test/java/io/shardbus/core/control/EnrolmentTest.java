package io.shardbus.core.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.coordinator.CoordinatorSettings;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.time.ClockReading;
import io.shardbus.core.time.ElapsedTime;
import io.shardbus.model.Charter;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whom the coordinator's writes of the record enrol, and what becomes of two sides that both have the caches. */
class EnrolmentTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final NodeId C = new NodeId("c");
    private static final NodeId LATE = new NodeId("late");
    private static final Set<String> SEATS = Set.of("seat a", "seat b", "seat c", "seat late");
    private static final LeaseTimes TIMES = new LeaseTimes(2_000, 300, true);
    private static final ElapsedTime CLOCK = ElapsedTime.from(new ClockReading(0, 0, ClockReading.NO_BOOT, 0));

    private long now;

    private Moment at() {
        return new Moment(now, now, CLOCK);
    }

    /** A node with a store that answers at once. */
    private final class Node {
        private final NodeControl control;
        private @Nullable TermRecord stored;

        Node(NodeId id, @Nullable TermRecord stored) {
            this.stored = stored;
            Seats seats = Seats.listed("seat " + id.value(), SEATS);
            this.control = new NodeControl(
                    new NodeSetup(id, id.value().hashCode(), true, seats, TIMES, now, false, false, "keep-majority"),
                    null,
                    (type, begin) -> new CoordinatorSettings(TIMES, 3_000, 100, 0),
                    at());
        }

        void settle(List<NodeCommand> commands) {
            List<NodeCommand> all = new ArrayList<>(commands);
            for (int i = 0; i < all.size(); i++) {
                if (all.get(i) instanceof NodeCommand.Elected elected) {
                    if (elected.command() instanceof ElectionCommand.Read read) {
                        all.addAll(control.recordRead(read.operation(), stored, at()));
                    } else if (elected.command() instanceof ElectionCommand.Replace write) {
                        boolean equal = Objects.equals(write.expected(), stored);
                        stored = equal ? write.next() : stored;
                        Election.Outcome outcome = equal ? Election.Outcome.WRITTEN : Election.Outcome.UNEQUAL;
                        all.addAll(control.recordReplaced(write.operation(), outcome, at()));
                    }
                }
            }
        }

        void see(boolean available, NodeId... members) {
            settle(control.viewChanged(List.of(members), available, false, at()));
        }

        void count(NodeId... nodes) {
            settle(control.countedChanged(Set.of(nodes), at()));
        }

        boolean reigns() {
            return control.election().reigns(now);
        }

        Set<NodeId> enrolled() {
            return Objects.requireNonNull(Objects.requireNonNull(stored).charter())
                    .enrolled();
        }
    }

    private void pass(long millis, Node... nodes) {
        for (long end = now + millis; now < end; ) {
            now += 20;
            for (Node node : nodes) {
                node.settle(node.control.tick(at()));
            }
        }
    }

    /** It coordinates among three, and a fourth is in the view whose caches have not started. */
    private Node coordinator() {
        Charter charter = new Charter(new TermId(1, 1), SEATS, Set.of(A, B, C));
        Node node = new Node(A, new TermRecord(40, B, 7, TermRecord.RELEASED, TIMES.lease(), null, charter));
        node.count(A, B, C);
        node.see(true, A, B, C);
        pass(10_000, node);
        assertTrue(node.reigns());
        node.see(true, A, B, C, LATE);
        pass(1_000, node);
        return node;
    }

    @Test
    void aMemberIsEnrolledOnceItHasTheCaches() {
        Node node = coordinator();
        assertEquals(Set.of(A, B, C), node.enrolled());
        node.count(A, B, C, LATE);
        assertEquals(Set.of(A, B, C, LATE), node.enrolled(), "at once, as the others may all be gone soon");
        node.count(B, C);
        assertEquals(Set.of(A, B, C), node.enrolled(), "who writes is enrolled");
        node.see(true, A, B);
        assertEquals(Set.of(A, B), node.enrolled());
    }

    /**
     * Two of three replicas are of nodes that are leaving, and on the other side of a cut: both sides have the caches,
     * this one by their goodbyes, that one by their weight.
     */
    @Test
    void twoSidesThatBothHaveTheCachesHaveOneCoordinator() {
        Node node = coordinator();
        node.settle(node.control.forNode(B, new NodeMessage.NodeLeaving(B, true), at()));
        node.settle(node.control.forNode(C, new NodeMessage.NodeLeaving(C, true), at()));
        pass(500, node);
        TermRecord shared = node.stored;
        node.see(false, A);
        now += 20;
        node.see(true, A);
        Node late = new Node(LATE, shared);
        late.count(B, C, LATE);
        late.see(true, B, C, LATE);
        pass(30_000, node, late);
        assertTrue(node.reigns());
        assertFalse(late.reigns());
    }
}
