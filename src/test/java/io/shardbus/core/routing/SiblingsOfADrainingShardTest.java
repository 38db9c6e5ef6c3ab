package io.shardbus.core.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An entity whose answer depends on an ask to an entity of its own shard, after an asynchronous step. */
@DisplayName("While a shard drains")
class SiblingsOfADrainingShardTest extends TwoLanes {
    @Test
    @DisplayName("an ask between its entities is answered here, and the stop waits for the entity that asks")
    void anAskBetweenItsEntitiesIsAnsweredHere() {
        homeAtB();
        b.lane.showHomes(List.of(home(T1, T1, B)), now);
        b.entity.holding = true;
        tell(b, "order");
        b.flush(now);
        Runnable answers = b.entity.held;
        assertNotNull(answers, "the order is in hand");
        b.entity.holding = false;
        b.lane.beginHandoff(begin(V3, B, B), true, now);
        LaneFixture.Ask outside = new LaneFixture.Ask(60_000);
        b.lane.send(1, "f", "from elsewhere", outside, now);
        LaneFixture.Ask inside = new LaneFixture.Ask(60_000);
        b.lane.sendFrom(1, 1, "f", "question", inside, now);
        b.flush(now);
        assertEquals("answer to question", inside.value);
        assertNull(outside.value, "it waits for the next home");
        assertEquals(List.of(), b.stopped);
        b.lane.at(now);
        answers.run();
        b.flush(now);
        assertEquals(List.of(1), b.stopped);
    }
}
