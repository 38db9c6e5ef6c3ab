package io.shardbus.core.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.protocol.Failure;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Shard 1 is at b, which is lost, and then at c. */
@DisplayName("What a lane tells of the silence of a shard whose home is lost:")
class SilenceOfLostHomesTest extends TwoLanes {
    private static final FencingToken NEXT = new FencingToken(7, 1, 4);

    @BeforeEach
    void start() {
        homeAtB();
        tell(a, "before");
        exchange();
        a.silences.clear();
        now = 1_000;
    }

    private void nextHomeAtC() {
        a.lane.showHomes(List.of(home(NEXT, NEXT, C)), now);
    }

    private void tickUntil(long moment) {
        while (now < moment) {
            now += 10;
            a.lane.tick(now);
            a.flush(now);
        }
    }

    private void tellAndFlush(Object message) {
        tell(a, message);
        a.flush(now);
    }

    private void told(long millis, long messages) {
        assertEquals(List.of(new Silence(1, NEXT, millis, messages, false, true)), a.silences);
    }

    @Test
    @DisplayName("messages that were under way and those that came after the loss are one silence, without the time"
            + " between in which none waited")
    void underWayAndLater() {
        tellAndFlush("lost");
        now += 60;
        a.lane.nodeGone(B, now);
        assertEquals(1, a.deadLetters.size());
        now += 100;
        tellAndFlush("waits");
        now += 50;
        assertEquals(List.of(), a.silences);
        nextHomeAtC();
        told(60 + 50, 2);
    }

    @Test
    @DisplayName("messages that failed with it have waited until then, though none came after them")
    void underWayOnly() {
        tellAndFlush("lost");
        now += 20;
        LaneFixture.Ask ask = a.ask(1, "lost too", 10_000, now);
        a.flush(now);
        now += 40;
        a.lane.nodeGone(B, now);
        assertEquals(FailureCode.OUTCOME_UNKNOWN, ask.code);
        now += 3_000;
        nextHomeAtC();
        told(60, 2);
        tell(a, "waits for nothing");
        assertEquals(1, a.silences.size());
    }

    @Test
    @DisplayName("the wait began with the last sign of the home, where it took one of several messages")
    void sinceTheLastSign() {
        tell(a, "taken");
        a.flush(now);
        List<LaneFixture.Frame> taken = a.framesTo(B);
        now += 10;
        tellAndFlush("lost");
        now += 30;
        taken.forEach(frame -> b.receive(A, frame, now));
        b.flush(now);
        b.framesTo(A).forEach(frame -> a.receive(B, frame, now));
        now += 20;
        a.lane.nodeGone(B, now);
        nextHomeAtC();
        told(20, 1);
    }

    @Test
    @DisplayName("messages that had not left for it wait from when they were given to the lane")
    void notLeft() {
        tell(a, "unsent");
        now += 60;
        a.lane.nodeGone(B, now);
        now += 100;
        tell(a, "waits");
        assertEquals(List.of(), a.deadLetters);
        nextHomeAtC();
        told(160, 2);
    }

    @Test
    @DisplayName("messages of which a part had left wait from the first of them on, each counted once")
    void partlyLeft() {
        tellAndFlush("lost");
        now += 20;
        tell(a, "unsent");
        now += 40;
        a.lane.nodeGone(B, now);
        now += 100;
        nextHomeAtC();
        told(160, 2);
    }

    @Test
    @DisplayName(
            "a wait that a refusal of all messages has ended is not told, and neither are those that failed before")
    void refusedMeanwhile() {
        tellAndFlush("lost");
        now += 20;
        tell(a, "waits");
        now += 40;
        a.lane.nodeGone(B, now);
        a.lane.refuse(Failure.of(FailureCode.NOT_IN_MAJORITY, "a split"), now);
        now += 5_000;
        a.lane.refuse(null, now);
        nextHomeAtC();
        assertEquals(List.of(), a.silences);
    }

    @Test
    @DisplayName("the next home may be known before the loss is seen, and ends no wait for what became of messages")
    void nextHomeFirst() {
        tellAndFlush("lost");
        now += 60;
        nextHomeAtC();
        now += 20;
        tell(a, "waits for the outcome");
        now += 20;
        assertEquals(List.of(), a.silences);
        a.lane.nodeGone(B, now);
        told(100, 2);
    }

    @Test
    @DisplayName("the next home may be known before the loss is seen, and no message comes meanwhile")
    void nextHomeFirstAndNothingElse() {
        tellAndFlush("lost");
        now += 60;
        nextHomeAtC();
        now += 40;
        a.lane.nodeGone(B, now);
        told(100, 1);
    }

    @Test
    @DisplayName("messages that had not left when the next home became known have waited since they were given to it")
    void unsentAtTheNextHome() {
        tell(a, "unsent");
        now += 60;
        nextHomeAtC();
        assertEquals(60, a.silences.get(0).millis());
        assertEquals(1, a.silences.size());
    }

    @Test
    @DisplayName("a wait after it is told however short it was")
    void shortWait() {
        a.lane.nodeGone(B, now);
        now += 500;
        tell(a, "waits");
        now += 3;
        nextHomeAtC();
        told(3, 1);
    }

    @Test
    @DisplayName("nothing, where no message waited; and the next wait has nothing to do with it")
    void nothingWaited() {
        a.lane.nodeGone(B, now);
        nextHomeAtC();
        assertEquals(List.of(), a.silences);
        now += 10;
        a.lane.nodeGone(C, now);
        a.lane.nodeBack(C, now);
        assertEquals(List.of(), a.silences);
    }

    @Test
    @DisplayName("a home that gave no sign until it was given up was silent since then, though it is the home again")
    void givenUp() {
        tellAndFlush("lost");
        tickUntil(2_500);
        assertEquals(1, a.deadLetters.size());
        assertEquals(List.of(), a.silences);
        FencingToken later = new FencingToken(7, 1, 5);
        a.lane.showHomes(List.of(home(later, T1, B)), now);
        assertEquals(1, a.silences.size());
        assertEquals(T1, a.silences.get(0).token());
        long millis = a.silences.get(0).millis();
        assertTrue(millis >= 1_000 && millis <= 1_260, () -> "given up after " + millis + " ms");
    }

    @Test
    @DisplayName("nothing of a home that lives, however late it answers")
    void slowHome() {
        tellAndFlush("late");
        tickUntil(1_800);
        exchange();
        assertEquals(List.of(), a.silences);
        assertEquals(0, a.lane.buffered());
        now += 1_000;
        a.lane.nodeGone(B, now);
        nextHomeAtC();
        assertEquals(List.of(), a.silences);
    }

    @Test
    @DisplayName("a shard that is lost twice is silent twice")
    void twice() {
        NodeId d = new NodeId("d");
        tellAndFlush("lost");
        now += 60;
        a.lane.nodeGone(B, now);
        nextHomeAtC();
        told(60, 1);
        now += 500;
        tell(a, "unsent");
        now += 30;
        a.lane.nodeGone(C, now);
        FencingToken last = new FencingToken(7, 1, 6);
        a.lane.showHomes(List.of(home(last, last, d)), now);
        assertEquals(new Silence(1, last, 30, 1, false, true), a.silences.get(1));
    }

    @Test
    @DisplayName("one that is moved by plan after it is silent for the time of that move only")
    void plannedMoveAfterwards() {
        tellAndFlush("lost");
        now += 60;
        a.lane.nodeGone(B, now);
        nextHomeAtC();
        a.silences.clear();
        now += 1_000;
        FencingToken moving = new FencingToken(7, 1, 7);
        a.lane.beginHandoff(begin(moving, C, A), true, now);
        tell(a, "waits");
        now += 5;
        FencingToken moved = new FencingToken(7, 1, 8);
        a.lane.showHomes(List.of(home(moved, moved, C)), now);
        assertEquals(List.of(new Silence(1, moved, 5, 1, true, false)), a.silences);
    }
}
