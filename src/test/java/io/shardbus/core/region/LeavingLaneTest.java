package io.shardbus.core.region;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.FailureCode;
import io.shardbus.NodeId;
import io.shardbus.StopReason;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long a lane that ends waits for messages that have no home. */
class LeavingLaneTest {
    private static final long LEASE = 1_000;

    private final LaneFixture lane = new LaneFixture(new NodeId("a"), 10);

    private void stop(long now) {
        lane.lane.stopAll(StopReason.SHUTDOWN, now);
        turn(now);
    }

    private void turn(long now) {
        lane.lane.tick(now);
        lane.flush(now);
    }

    @Test
    void anAskThatIsOverIsNotWaitedFor() {
        LaneFixture.Ask ask = lane.ask(1, "x", 100, 0);
        turn(120);
        assertEquals(FailureCode.TIMED_OUT, ask.code);
        stop(120);
        assertEquals(1, lane.allStopped);
        assertEquals(0, lane.lane.buffered());
        assertEquals(List.of(), lane.deadLetters);
    }

    @Test
    void anAskIsWaitedForUntilItsDeadline() {
        LaneFixture.Ask ask = lane.ask(1, "x", 100, 0);
        stop(0);
        turn(90);
        assertEquals(0, lane.allStopped);
        turn(120);
        assertEquals(FailureCode.TIMED_OUT, ask.code);
        assertEquals(1, lane.allStopped);
    }

    @Test
    void aTellIsWaitedForALeaseAndThenCounted() {
        lane.ask(1, "asked", 100, 0);
        lane.lane.send(1, "e", "told", null, 0);
        stop(0);
        turn(LEASE - 1);
        assertEquals(0, lane.allStopped);
        assertEquals(1, lane.lane.buffered());
        turn(LEASE);
        assertEquals(1, lane.allStopped);
        assertEquals(List.of("told SHUTTING_DOWN"), lane.deadLetters);
    }
}
