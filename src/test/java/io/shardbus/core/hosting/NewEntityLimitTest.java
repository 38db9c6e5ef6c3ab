package io.shardbus.core.hosting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NewEntityLimitTest {
    private final NewEntityLimit limit = new NewEntityLimit(5, 1_000);

    private long admitted(int first, int count, long now) {
        return IntStream.range(first, first + count)
                .filter(i -> limit.admits("id-" + i, now))
                .count();
    }

    @Test
    void aBurstOfTenSecondsPassesAndThenSoManyPerSecond() {
        assertEquals(50, admitted(0, 1_000, 1_000));
        assertEquals(0, admitted(2_000, 10, 1_199));
        assertEquals(1, admitted(3_000, 10, 1_200));
        assertEquals(4, admitted(4_000, 10, 2_000));
        assertEquals(50, admitted(5_000, 1_000, 1_000_000), "no more than a burst gathers");
    }

    @Test
    void anEntityThatIsKnownTakesNoPlace() {
        admitted(0, 1_000, 1_000);
        assertEquals(50, admitted(0, 50, 1_000));
        assertFalse(limit.admits("id-50", 1_000), "it was refused before");
    }

    @Test
    void whatIsRememberedIsBounded() {
        int many = 2 * NewEntityLimit.MOST_KNOWN;
        NewEntityLimit wide = new NewEntityLimit(many / 10, 0);
        assertTrue(IntStream.range(0, many).allMatch(i -> wide.admits("id-" + i, 0)));
        assertTrue(wide.admits("id-" + (many - 1), 0), "one of the last");
        assertTrue(wide.admits("id-0", 0), "one of the generation before, which is known from now on");
        assertFalse(wide.admits("id-1", 0), "forgotten with that generation, and no place is left");
    }

    @Test
    void zeroIsNoLimit() {
        NewEntityLimit none = new NewEntityLimit(0, 0);
        assertTrue(IntStream.range(0, 10_000).allMatch(i -> none.admits("id-" + i, 0)));
    }
}
