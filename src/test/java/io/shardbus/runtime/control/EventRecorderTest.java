package io.shardbus.runtime.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.control.Peers;
import io.shardbus.core.splitbrain.SplitCommand;
import io.shardbus.model.ClusterEvent;
import io.shardbus.model.ClusterEvent.Kind;
import io.shardbus.model.LossReason;
import io.shardbus.model.NodeId;
import io.shardbus.runtime.events.EventRing;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a loss of members is called: a crash is no split. */
class EventRecorderTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final NodeId C = new NodeId("c");
    private static final SplitCommand WHOLE = new SplitCommand.Rejoin(false, true);

    private final EventRing ring = new EventRing(A, () -> 1);
    private final EventRecorder recorder = new EventRecorder(A, ring, node -> LossReason.SOCKET);

    private void lose(NodeId node) {
        recorder.nodesChanged(new Peers.Change(Set.of(node), Set.of(), Set.of(node)));
    }

    private void comeBack(NodeId node) {
        recorder.nodesChanged(new Peers.Change(Set.of(), Set.of(node), Set.of()));
    }

    private List<Kind> kinds() {
        return ring.after(0, 100).stream().map(ClusterEvent::kind).toList();
    }

    private ClusterEvent last() {
        List<ClusterEvent> all = ring.after(0, 100);
        return all.get(all.size() - 1);
    }

    @Test
    void aLossSaysHowItWasNoticed() {
        lose(B);
        assertEquals(Kind.NODE_LOST, last().kind());
        assertEquals(Map.of("reason", "socket"), last().details());
    }

    @Test
    void aCrashIsCalledNoSplit() {
        lose(B);
        recorder.decided(new SplitCommand.Hold(Set.of(B)));
        recorder.provenDead(B);
        recorder.decided(WHOLE);
        assertEquals(List.of(Kind.NODE_LOST, Kind.LOSS_UNDECIDED, Kind.NODE_DEAD, Kind.LOSS_SETTLED), kinds());
        assertEquals(Map.of("lost", "[b]"), last().details());
    }

    @Test
    void crashesOneAfterTheOtherAreNamedTogether() {
        lose(B);
        recorder.decided(new SplitCommand.Hold(Set.of(B)));
        lose(C);
        recorder.provenDead(B);
        recorder.provenDead(C);
        recorder.decided(WHOLE);
        assertEquals(Kind.LOSS_SETTLED, last().kind());
        assertEquals(Map.of("lost", "[b, c]"), last().details());
    }

    @Test
    void membersThatComeBackEndASplit() {
        lose(B);
        recorder.decided(new SplitCommand.Hold(Set.of(B)));
        comeBack(B);
        recorder.decided(new SplitCommand.Rejoin(false, false));
        assertEquals(List.of(Kind.NODE_LOST, Kind.LOSS_UNDECIDED, Kind.NODE_JOINED, Kind.SPLIT_ENDED), kinds());
    }

    @Test
    void oneThatCameBackEarlierDoesNotMakeTheNextCrashASplit() {
        lose(B);
        recorder.decided(new SplitCommand.Hold(Set.of(B)));
        comeBack(B);
        recorder.decided(new SplitCommand.Rejoin(false, false));
        lose(C);
        recorder.decided(new SplitCommand.Hold(Set.of(C)));
        recorder.provenDead(C);
        recorder.decided(WHOLE);
        assertEquals(Kind.LOSS_SETTLED, last().kind());
        assertEquals(Map.of("lost", "[c]"), last().details());
    }

    @Test
    void aSideThatHadStoppedHasSeenASplit() {
        lose(B);
        recorder.decided(new SplitCommand.Hold(Set.of(B)));
        recorder.decided(new SplitCommand.Stop(Set.of(B), false, "too few"));
        recorder.provenDead(B);
        recorder.decided(new SplitCommand.Rejoin(true, true));
        assertEquals(Kind.SPLIT_ENDED, last().kind());
    }

    @Test
    void goingOnWithoutTheLostIsNoSplitEither() {
        lose(B);
        recorder.decided(new SplitCommand.Hold(Set.of(B)));
        recorder.decided(new SplitCommand.GoOn(Set.of(B), false, "the majority is here"));
        assertEquals(Kind.LOSS_WENT_ON, last().kind());
    }
}
