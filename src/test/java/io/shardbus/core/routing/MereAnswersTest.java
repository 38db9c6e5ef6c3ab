package io.shardbus.core.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.protocol.ShardHome;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a lane says that it has heard frames in which there are answers only. */
class MereAnswersTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final FencingToken TOKEN = new FencingToken(1, 1, 1);

    private final LaneFixture a = new LaneFixture(A, 1_000);
    private final LaneFixture b = new LaneFixture(B, 1_000);

    @BeforeEach
    void bIsTheHome() {
        a.knows(B);
        b.knows(A);
        b.extendLease(10_000, 0);
        b.lane.hostShard(1, TOKEN, 0);
        a.lane.showHomes(List.of(new ShardHome(1, TOKEN, TOKEN, B, 1)), 0);
    }

    /** One ask there and its answer back; how many frames were needed. */
    private int askAndAnswer(long now) {
        var ask = a.ask(1, "hello", 1_000, now);
        a.flush(now);
        var there = a.framesTo(B);
        there.forEach(frame -> b.receive(A, frame, now));
        b.flush(now);
        var back = b.framesTo(A);
        back.forEach(frame -> a.receive(B, frame, now));
        assertEquals("answer to hello", ask.value);
        return there.size() + back.size();
    }

    @Test
    void theNextFrameSaysIt() {
        assertEquals(2, askAndAnswer(0));
        a.flush(0);
        assertEquals(List.of(), a.framesTo(B));
        assertEquals(2, askAndAnswer(1));
        a.flush(1);
        assertEquals(List.of(), a.framesTo(B));
    }

    @Test
    void aFrameOfItsOwnSaysItWhenNoOtherLeaves() {
        askAndAnswer(0);
        a.flush(4);
        assertEquals(List.of(), a.framesTo(B));
        a.flush(5);
        var said = a.framesTo(B);
        assertEquals(1, said.size());
        assertEquals(0, said.get(0).head().number());
        assertEquals(1, said.get(0).head().answer().received());
        a.flush(50);
        assertEquals(List.of(), a.framesTo(B));
    }

    @Test
    void aRepeatedFrameIsAnsweredAtOnce() {
        a.ask(1, "hello", 1_000, 0);
        a.flush(0);
        a.framesTo(B).forEach(frame -> b.receive(A, frame, 0));
        b.flush(0);
        var answer = b.framesTo(A).get(0);
        a.receive(B, answer, 0);
        a.receive(B, answer, 1);
        a.flush(1);
        assertEquals(1, a.framesTo(B).size());
    }

    @Test
    void moreThanHalfOfTheWindowIsNotKeptSilent() {
        for (int i = 0; i < 3; i++) {
            a.ask(1, i, 1_000, 0);
            a.flush(0);
        }
        for (var frame : a.framesTo(B)) {
            b.receive(A, frame, 0);
            b.flush(0);
        }
        var answers = b.framesTo(A);
        assertEquals(3, answers.size());
        for (int i = 0; i < 2; i++) {
            a.receive(B, answers.get(i), 0);
            a.flush(0);
            assertEquals(List.of(), a.framesTo(B));
        }
        a.receive(B, answers.get(2), 0);
        a.flush(0);
        assertEquals(3, a.framesTo(B).get(0).head().answer().received());
    }
}
