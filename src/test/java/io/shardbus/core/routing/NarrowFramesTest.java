package io.shardbus.core.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Frames whose head alone reaches their limit in bytes. */
@DisplayName("A lane whose frames are full with their heads")
class NarrowFramesTest extends TwoLanes {
    private static final Duration SOON = Duration.ofSeconds(10);

    @Test
    @DisplayName("sends one item in each frame, in order")
    void sendsOneItemInEachFrame() {
        homeAtB();
        a.narrow = true;
        for (int i = 0; i < 3; i++) {
            tell(a, i);
        }
        assertTimeoutPreemptively(SOON, () -> a.flush(now));
        List<LaneFixture.Frame> frames = a.framesTo(B);
        assertEquals(
                List.of(1, 1, 1),
                frames.stream().map(frame -> frame.items().size()).toList());
        frames.forEach(frame -> b.receive(A, frame, now));
        exchange();
        assertEquals(List.of(0, 1, 2), b.handled);
        assertEquals(0, a.lane.buffered());
    }

    @Test
    @DisplayName("passes over an item that cannot be encoded and sends the one behind it")
    void passesOverAnItemThatCannotBeEncoded() {
        homeAtB();
        a.narrow = true;
        tell(a, LaneFixture.UNSENDABLE);
        tell(a, "behind");
        assertTimeoutPreemptively(SOON, this::exchange);
        assertEquals(List.of("behind"), b.handled);
        assertEquals(1, a.deadLetters.size());
    }
}
