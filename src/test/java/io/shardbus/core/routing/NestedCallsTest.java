package io.shardbus.core.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Code of an entity makes another one start while it has the thread: it has the thread still when that is done. */
class NestedCallsTest extends TwoLanes {
    @BeforeEach
    void isAtHome() {
        b.extendLease(10_000, now);
        b.lane.hostShard(1, T1, now);
        b.lane.showHomes(List.of(home(T1, T1, B)), now);
        b.lane.deliverHere(1, "x", "hello", now);
        b.lane.deliverHere(1, "y", "hello", now);
        b.flush(now);
        b.handled.clear();
    }

    @Test
    void aMessageToAnEntityOfItsShardComesAlsoWhileTheShardIsAboutToLeave() {
        b.lane.beginHandoff(begin(V3, B, A, B), true, now);
        var ask = new LaneFixture.Ask(60_000);
        b.entity.meanwhile = () -> {
            b.lane.send(1, "new", "first", null, now);
            b.lane.send(1, "y", "second", ask, now);
        };
        b.lane.deliverHere(1, "x", "go", now);
        b.flush(now);
        assertEquals("answer to second", ask.value);
        assertEquals(0, b.lane.buffered());
    }

    @Test
    void noOtherEntityRunsBeforeItHasReturned() {
        b.entity.meanwhile = () -> {
            b.lane.send(1, "new", "first", null, now);
            b.lane.send(1, "y", "second", null, now);
            b.handled.add("x returns");
        };
        b.lane.deliverHere(1, "x", "go", now);
        b.flush(now);
        assertEquals(List.of("go", "x returns", "first", "second"), b.handled);
    }
}
