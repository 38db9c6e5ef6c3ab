package io.shardbus.core.splitbrain;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.NodeId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Two nodes have stopped in favour of two others. */
class YieldingTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final NodeId OWN = new NodeId("c");
    private static final NodeId NEW = new NodeId("d");

    private final Yielding yielding = new Yielding();

    @BeforeEach
    void yieldTo() {
        yielding.yieldTo(Set.of(A, B));
        assertTrue(yielding.goesOn(List.of(OWN), false));
    }

    @Test
    void endsWhenOneIsMetAndTheCachesAreThere() {
        assertTrue(yielding.goesOn(List.of(B, OWN), false), "the merge gives them");
        assertFalse(yielding.goesOn(List.of(B, OWN), true));
        assertFalse(yielding.goesOn(List.of(OWN), false));
    }

    private void seconds(int count) {
        for (int i = 0; i < count; i++) {
            yielding.secondPassed();
            assertTrue(yielding.goesOn(List.of(B, OWN), false), "second " + i);
        }
    }

    @Test
    void endsWhenAMergeGivesNothing() {
        assertTrue(yielding.goesOn(List.of(B, OWN), false));
        seconds(10);
        yielding.secondPassed();
        assertFalse(yielding.goesOn(List.of(B, OWN), false));
    }

    @Test
    @DisplayName("a merge has its time, however often the members are looked at meanwhile")
    void countsNoLooks() {
        for (int look = 0; look < 1000; look++) {
            assertTrue(yielding.goesOn(List.of(B, OWN), false), "look " + look);
        }
    }

    @Test
    void countsTheSecondsAnewWhenTheyAreLostAgain() {
        assertTrue(yielding.goesOn(List.of(B, OWN), false));
        seconds(10);
        assertTrue(yielding.goesOn(List.of(OWN), false));
        yielding.secondPassed();
        assertTrue(yielding.goesOn(List.of(B, OWN), false));
    }

    @Test
    void endsWhenAllAreGone() {
        yielding.gone(A);
        assertTrue(yielding.goesOn(List.of(OWN), false));
        yielding.gone(B);
        assertFalse(yielding.goesOn(List.of(OWN), false));
    }

    @Test
    @DisplayName("a reign that outlived those who went on is met: the caches are no longer kept for these")
    void endsWhenTheSideTakesPartAgain() {
        assertTrue(yielding.goesOn(List.of(NEW, OWN), true), "they may be elsewhere");
        yielding.end();
        assertFalse(yielding.goesOn(List.of(NEW, OWN), true));
        assertFalse(yielding.goesOn(List.of(OWN), false), "the others leave in good order: this side goes on");
    }
}
