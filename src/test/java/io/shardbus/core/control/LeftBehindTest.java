package io.shardbus.core.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.coordinator.CoordinatorSettings;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.splitbrain.SplitResolver;
import io.shardbus.core.splitbrain.SplitTimes;
import io.shardbus.core.splitbrain.StoreMajority;
import io.shardbus.core.time.ClockReading;
import io.shardbus.core.time.ElapsedTime;
import io.shardbus.model.Charter;
import io.shardbus.model.NodeId;
import io.shardbus.model.SafetyOptions;
import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Three seats. One crashed long ago, its death was never proven, and another process has its seat. Then two are lost at
 * once, and others start at their seats. The third, which has stopped, learns that they had left, or crashed.
 */
class LeftBehindTest {
    private static final LeaseTimes TIMES = new LeaseTimes(8_000, 1_000, true);
    private static final long TWO_LEASES = 16_000;
    private static final long STARTED_AFTER = 3_000;
    /** For so long the dead may hold leases: a lease and two margins. */
    private static final long LEASES_LAST = 9_600;

    private static final ElapsedTime CLOCK = ElapsedTime.from(new ClockReading(0, 0, ClockReading.NO_BOOT, 0));
    private static final SafetyOptions OPTIONS = SafetyOptions.of(Map.of("splitBrain", "keep-majority"));
    private static final Set<String> SEATS = Set.of("seat-a", "seat-b", "seat-c");
    private static final NodeId SURVIVOR = new NodeId("A");

    private final Map<NodeId, NodeControl> nodes = new LinkedHashMap<>();
    private final Deque<Runnable> messages = new ArrayDeque<>();
    private long now;
    /** Whether the caches are given back to all by the founding, and not by the test. */
    private boolean denied;

    private @Nullable TermRecord stored = new TermRecord(
            40,
            new NodeId("B"),
            7,
            TermRecord.RELEASED,
            8_000,
            null,
            new Charter(new TermId(1, 1), SEATS, Set.of(SURVIVOR, new NodeId("B"), new NodeId("C"))));

    private static Moment at(long now) {
        return new Moment(now, now, CLOCK);
    }

    private NodeControl start(String node, String seat) {
        NodeId id = new NodeId(node);
        SplitTimes times =
                new SplitTimes(1_000, 750, 1_000, 10_000).noticedWithin(4_800).confirmedWithin(8_000);
        NodeControl control = new NodeControl(
                new NodeSetup(id, now + 1, true, Seats.listed(seat, SEATS), TIMES, now, false, false, "keep-majority"),
                new SplitResolver(id, new StoreMajority(), times, OPTIONS),
                (type, begin) -> new CoordinatorSettings(TIMES, 3_000, 100, 0),
                at(now));
        nodes.put(id, control);
        return control;
    }

    private void carryOut(NodeId node, List<NodeCommand> commands) {
        for (NodeCommand command : commands) {
            if (command instanceof NodeCommand.Send send) {
                post(node, send.to(), send.message());
            } else if (command instanceof NodeCommand.Broadcast broadcast) {
                nodes.keySet().forEach(to -> post(node, to, broadcast.message()));
            } else if (command instanceof NodeCommand.Elected elected) {
                messages.add(() -> elect(node, elected.command()));
            }
        }
    }

    private void post(NodeId from, NodeId to, NodeMessage message) {
        NodeControl target = nodes.get(to);
        if (target != null && !to.equals(from)) {
            messages.add(() -> carryOut(to, target.forNode(from, message, at(now))));
        }
    }

    /** The store answers at once, and each seat is found to be occupied. */
    private void elect(NodeId node, ElectionCommand command) {
        NodeControl control = Objects.requireNonNull(nodes.get(node));
        if (command instanceof ElectionCommand.Read read) {
            carryOut(node, control.recordRead(read.operation(), stored, at(now)));
        } else if (command instanceof ElectionCommand.Replace write) {
            boolean equal = Objects.equals(write.expected(), stored);
            stored = equal ? write.next() : stored;
            Election.Outcome outcome = equal ? Election.Outcome.WRITTEN : Election.Outcome.UNEQUAL;
            carryOut(node, control.recordReplaced(write.operation(), outcome, at(now)));
            if (equal) {
                nodes.forEach((id, each) -> carryOut(id, each.recordSighted(write.next(), at(now))));
            }
        } else if (command instanceof ElectionCommand.AskSeats ask) {
            TermId attempt = ask.message().attempt();
            carryOut(node, control.seatsProbed(attempt, ask.message().round(), SEATS, false, at(now)));
        } else if (command instanceof ElectionCommand.Revive && denied) {
            denied = false;
            List.copyOf(nodes.keySet()).forEach(id -> view(id, true, "A", "B2", "C2"));
        }
    }

    private void settle() {
        while (!messages.isEmpty()) {
            messages.remove().run();
        }
    }

    private void view(NodeId node, boolean available, String... members) {
        List<NodeId> present = Arrays.stream(members).map(NodeId::new).toList();
        NodeControl control = Objects.requireNonNull(nodes.get(node));
        carryOut(node, control.viewChanged(present, available, false, at(now)));
        carryOut(
                node,
                control.attributesChanged(
                        present.stream()
                                .collect(Collectors.toMap(
                                        member -> member, member -> new PeerAttributes(Set.of(), true, OPTIONS))),
                        at(now)));
        settle();
    }

    private void run(long millis) {
        for (long end = now + millis; now < end; ) {
            now += 25;
            nodes.forEach((id, each) -> carryOut(id, each.tick(at(now))));
            settle();
        }
    }

    private NodeControl survivor() {
        return Objects.requireNonNull(nodes.get(SURVIVOR));
    }

    /** The survivor has stopped, knows that the two had left, and awaits the one that crashed long ago. */
    private void awaitTheOneOfLongAgo() {
        start("A", "seat-a");
        goesOnAndStops();
    }

    private void goesOnAndLosesTwo() {
        view(SURVIVOR, true, "A", "B", "C");
        run(20_000);
        view(SURVIVOR, true, "A", "B");
        run(60_000);
        view(SURVIVOR, true, "A", "B", "C1");
        run(60_000);
        assertTrue(survivor().mayAct(), "it went on without the one that crashed");
        view(SURVIVOR, false, "A");
    }

    private void goesOnAndStops() {
        goesOnAndLosesTwo();
        run(STARTED_AFTER);
        start("B2", "seat-b");
        start("C2", "seat-c");
        view(SURVIVOR, false, "A", "B2", "C2");
        List.of(new NodeId("B"), new NodeId("C1"))
                .forEach(node ->
                        carryOut(SURVIVOR, survivor().forNode(node, new NodeMessage.NodeLeaving(node, true), at(now))));
        settle();
        run(100);
        List.of(SURVIVOR, new NodeId("B2"), new NodeId("C2")).forEach(node -> view(node, true, "A", "B2", "C2"));
        assertFalse(survivor().mayAct());
    }

    private List<NodeId> reigning() {
        return nodes.entrySet().stream()
                .filter(entry -> entry.getValue().reign() != null)
                .map(Map.Entry::getKey)
                .toList();
    }

    @Test
    @DisplayName("a side that waits for a node of long ago founds its cluster anew with all seats, and acts")
    void allSeatsFoundTheClusterAnew() {
        awaitTheOneOfLongAgo();
        run(TWO_LEASES - STARTED_AFTER - 1_000);
        assertFalse(survivor().mayAct(), "those who may have gone on with the node of long ago are awaited");
        assertEquals(List.of(), reigning());
        run(3 * TWO_LEASES);
        assertTrue(survivor().mayAct());
        assertEquals(1, reigning().size(), () -> "reigning: " + reigning());
        assertNull(survivor().deadlock());
        Charter charter = Objects.requireNonNull(stored).charter();
        assertNotNull(charter);
        assertFalse(charter.founding().equals(new TermId(1, 1)), "another founding");
    }

    @Test
    @DisplayName("a side that waits for a node of long ago acts when another seat founds the cluster")
    void anotherSeatFounds() {
        awaitTheOneOfLongAgo();
        // first in the view of all is a node that has just started: it founds before the survivor tries
        List<NodeId> all = List.of(SURVIVOR, new NodeId("B2"), new NodeId("C2"));
        all.forEach(node -> view(node, true, "B2", "C2", "A"));
        run(4 * TWO_LEASES);
        assertTrue(survivor().mayAct());
        assertEquals(List.of(new NodeId("B2")), reigning());
    }

    @Test
    @DisplayName("a side that learns of one death in time, and of the other too late, acts when all seats have agreed")
    void oneDeathIsKnownTooLate() {
        start("A", "seat-a");
        goesOnAndLosesTwo();
        run(LEASES_LAST - 100);
        start("B2", "seat-b");
        start("C2", "seat-c");
        denied = true;
        List.copyOf(nodes.keySet()).forEach(id -> view(id, false, "A", "B2", "C2"));
        carryOut(SURVIVOR, survivor().succeeded(new NodeId("B"), at(now)));
        run(200);
        carryOut(SURVIVOR, survivor().succeeded(new NodeId("C1"), at(now)));
        settle();
        run(TWO_LEASES - LEASES_LAST - 200);
        assertFalse(survivor().mayAct(), "those who may have gone on with the node of long ago are awaited");
        run(4 * TWO_LEASES);
        assertFalse(denied, "all seats agreed");
        assertNull(survivor().deadlock());
        assertNull(survivor().refusal());
        assertEquals(1, reigning().size(), () -> "reigning: " + reigning());
    }

    @Test
    @DisplayName("a write of the cluster that its seat founded long ago does not end the wait")
    void anEarlierFoundingSaysNothing() {
        TermRecord record = Objects.requireNonNull(stored);
        TermId founding = Objects.requireNonNull(record.charter()).founding();
        stored = null;
        start("A", "seat-a");
        view(SURVIVOR, true, "A", "B", "C");
        NodeId founder = new NodeId("B");
        List<Boolean> given = new ArrayList<>();
        for (int round = Founding.LOOK; round <= Founding.HOLD; round++) {
            NodeMessage.SeatsAsked asked = new NodeMessage.SeatsAsked(founder, founding, round, SEATS);
            for (NodeCommand command : survivor().forNode(founder, asked, at(now))) {
                if (command instanceof NodeCommand.Send send
                        && send.message() instanceof NodeMessage.SeatAnswered answer) {
                    given.add(answer.given());
                }
            }
        }
        assertEquals(List.of(true, true, true), given);
        stored = record;
        goesOnAndStops();
        TermRecord late = new TermRecord(90, new NodeId("B2"), 9, 3, 8_000, null, record.charter());
        carryOut(SURVIVOR, survivor().recordSighted(late, at(now)));
        settle();
        assertFalse(survivor().mayAct(), "it may have been under way since before the stop");
    }
}
