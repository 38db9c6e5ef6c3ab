package io.shardbus.core.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.StopReason;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Entities of a lane that are at one message for longer than an ask waits: 500 ms here. */
class SilentEntitiesTest {
    private static final FencingToken T1 = new FencingToken(7, 1, 1);

    private final LaneFixture b = new LaneFixture(new NodeId("b"), 10);

    @BeforeEach
    void oneHangs() {
        b.extendLease(100_000, 0);
        b.lane.hostShard(1, T1, 0);
        b.lane.hostShard(2, T1, 0);
        b.entity.holding = true;
        b.lane.deliverHere(1, "e", "hang", 0);
        b.flush(0);
    }

    /** Each tick looks at one shard. */
    private void pass(long from, long until) {
        for (long now = from; now <= until; now += 10) {
            b.lane.tick(now);
            b.flush(now);
        }
    }

    @Test
    void eachIsToldOnceAndCountedUntilItAnswers() {
        pass(10, 500);
        assertEquals(List.of(), b.silent);
        pass(510, 2_000);
        assertEquals(1, b.silent.size(), () -> "once: " + b.silent);
        assertTrue(b.silent.get(0).startsWith("1/e "), b.silent.get(0));
        assertEquals(1, b.silentEntities);
        b.entity.held.run();
        pass(2_010, 2_100);
        assertEquals(0, b.silentEntities);
    }

    @Test
    void theNextMessageIsToldAnew() {
        pass(510, 700);
        b.entity.held.run();
        b.lane.deliverHere(1, "e", "hang again", 700);
        pass(710, 1_400);
        assertEquals(2, b.silent.size(), () -> "" + b.silent);
        assertEquals(1, b.silentEntities);
    }

    @Test
    void noneIsCountedThatIsNotHereAnyMore() {
        pass(510, 700);
        assertEquals(1, b.silentEntities);
        b.entity.held.run();
        b.lane.stopAll(StopReason.LEASE_LOST, 710);
        b.flush(710);
        assertEquals(0, b.silentEntities);
    }
}
