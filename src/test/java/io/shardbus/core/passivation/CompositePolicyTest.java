package io.shardbus.core.passivation;

import static io.shardbus.core.passivation.PassivationRig.ids;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.passivation.PassivationSettings.Admission;
import io.shardbus.core.passivation.PassivationSettings.Climbing;
import io.shardbus.core.passivation.PassivationSettings.Order;
import io.shardbus.core.passivation.PassivationSettings.Replacing;
import io.shardbus.core.passivation.PassivationSettings.Sketch;
import io.shardbus.core.passivation.PassivationSettings.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Admission window, frequency sketch and main area together. */
class CompositePolicyTest {
    private static final Sketch SKETCH = new Sketch(4, 4, 4, 10);
    private static final Window FIFTH = new Window(Replacing.RECENT, 0.2, 0.01, 1);
    private static final Replacing SEGMENTS = new Replacing(Order.LEAST_RECENT, List.of(0.25, 0.75));

    private static List<Integer> list(int first, int last) {
        return IntStream.of(ids(first, last)).boxed().toList();
    }

    private static Set<Integer> range(int first, int last) {
        return Set.copyOf(list(first, last));
    }

    private static <T> List<T> join(List<T> first, List<T> second) {
        List<T> joined = new ArrayList<>(first);
        joined.addAll(second);
        return joined;
    }

    private static PassivationRig fresh() {
        PassivationRig rig = PassivationRig.composite(20, SEGMENTS, new Admission(FIFTH, SKETCH, null));
        assertEquals(list(17, 36), rig.touch(1, ids(1, 40)));
        assertEquals(range(1, 16), rig.atRank(1, 0));
        assertEquals(range(37, 40), rig.inWindow(1));
        return rig;
    }

    private static PassivationRig used() {
        PassivationRig rig = fresh();
        assertEquals(list(37, 40), rig.touch(1, ids(1, 20)));
        assertEquals(range(17, 20), rig.inWindow(1));
        assertEquals(range(1, 4), rig.atRank(1, 0));
        assertEquals(range(5, 16), rig.atRank(1, 1));
        return rig;
    }

    private static PassivationRig admitted() {
        PassivationRig rig = used();
        assertEquals(List.of(), rig.touchTimes(1, 5, ids(17, 20)));
        assertEquals(list(1, 4), rig.touch(1, ids(21, 24)));
        assertEquals(list(21, 24), rig.touch(1, ids(25, 28)));
        return rig;
    }

    @Test
    @DisplayName("PASS-23 composite: who was not used more often is not admitted")
    void equalFrequencyIsNotAdmitted() {
        used();
    }

    @Test
    @DisplayName("PASS-24 composite: who was used more often is admitted to the main area")
    void higherFrequencyIsAdmitted() {
        admitted();
    }

    @Test
    @DisplayName(
            "PASS-25 composite: a second shard takes the window's oldest, the low level, then the oldest protected")
    void secondShard() {
        PassivationRig rig = admitted();
        assertEquals(List.of(25, 26, 17, 18, 19, 20, 5, 6, 7, 8), rig.touch(2, 50));
        assertEquals(Set.of(27, 28), rig.inWindow(1));
        assertEquals(Set.of(9, 10), rig.atRank(1, 0));
        assertEquals(range(11, 16), rig.atRank(1, 1));
        assertEquals(List.of(27, 28, 9, 10), rig.touch(1, ids(17, 20)));
        assertEquals(range(11, 20), rig.active(1));
    }

    private static PassivationRig withoutWindow() {
        PassivationRig rig = PassivationRig.composite(10, Replacing.RECENT, new Admission(null, SKETCH, null));
        assertEquals(list(11, 20), rig.touch(1, ids(1, 20)));
        assertEquals(range(1, 10), rig.active(1));
        assertEquals(list(1, 10), rig.touchTimes(1, 5, ids(11, 20)));
        List<Integer> twice =
                list(1, 10).stream().flatMap(id -> List.of(id, id).stream()).toList();
        assertEquals(twice, rig.touchTimes(1, 2, ids(1, 10)));
        return rig;
    }

    @Test
    @DisplayName("PASS-26 sketch without window: a newcomer that is used too little is stopped after its own message")
    void withoutWindowNewcomersAreRejected() {
        assertEquals(range(11, 20), withoutWindow().active(1));
    }

    @Test
    @DisplayName("PASS-27 sketch without window: another limit makes the sketch begin afresh")
    void theSketchBeginsAfreshWithTheLimit() {
        PassivationRig rig = withoutWindow();
        assertEquals(list(11, 15), rig.touch(2, 50));
        assertEquals(list(16, 20), rig.touch(1, ids(1, 5)));
        assertEquals(list(6, 10), rig.touch(1, ids(6, 10)));
        assertEquals(range(1, 5), rig.active(1));
    }

    private static PassivationRig adaptive() {
        Climbing climbing = new Climbing(2, 0.4, 0.8, 0.5);
        Window window = new Window(Replacing.RECENT, 0.1, 0.1, 1);
        return PassivationRig.composite(
                10, Replacing.RECENT, new Admission(window, new Sketch(4, 4, 4, 100), climbing));
    }

    private static PassivationRig grown(List<Integer> windows) {
        PassivationRig rig = adaptive();
        for (int round = 0; round < 10; round++) {
            assertEquals(List.of(), rig.touch(1, ids(1, 10)));
        }
        windows.add(rig.windowLimit(1));
        assertEquals(join(List.of(10), list(11, 19)), rig.touch(1, ids(11, 20)));
        for (int round = 1; round < 4; round++) {
            assertEquals(join(List.of(20), list(11, 19)), rig.touch(1, ids(11, 20)));
        }
        windows.add(rig.windowLimit(1));
        assertEquals(Set.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 20), rig.active(1));
        assertEquals(join(List.of(20, 1, 2, 3, 4), list(21, 25)), rig.touchTimes(1, 2, ids(21, 30)));
        windows.add(rig.windowLimit(1));
        assertEquals(Set.of(5, 6, 7, 8, 9, 26, 27, 28, 29, 30), rig.active(1));
        assertEquals(list(26, 29), rig.touchTimes(1, 5, ids(21, 24)));
        windows.add(rig.windowLimit(1));
        return rig;
    }

    private static void afterTwoRounds(PassivationRig rig) {
        assertEquals(List.of(30, 5, 6, 21, 22, 23, 24, 7, 31, 32), rig.touch(1, ids(31, 40)));
        assertEquals(join(list(33, 40), List.of(31, 32)), rig.touch(1, ids(31, 40)));
        assertEquals(Set.of(8, 9, 33, 34, 35, 36, 37, 38, 39, 40), rig.active(1));
    }

    @Test
    @DisplayName("PASS-29 adaptive window: it grows when newcomers are used again")
    void theWindowGrows() {
        List<Integer> windows = new ArrayList<>();
        afterTwoRounds(grown(windows));
        assertEquals(List.of(1, 5, 7, 8), windows);
    }

    @Test
    @DisplayName("PASS-28, PASS-30 adaptive window: it shrinks again, and moving its border stops no entity")
    void theWindowShrinks() {
        List<Integer> windows = new ArrayList<>();
        PassivationRig rig = grown(windows);
        afterTwoRounds(rig);
        windows.add(rig.windowLimit(1));
        assertEquals(list(34, 43), rig.touchTimes(1, 2, ids(41, 50)));
        windows.add(rig.windowLimit(1));
        assertEquals(Set.of(8, 9, 33, 44, 45, 46, 47, 48, 49, 50), rig.active(1));
        assertEquals(list(48, 57), rig.touchTimes(1, 2, ids(51, 60)));
        windows.add(rig.windowLimit(1));
        assertEquals(Set.of(8, 9, 33, 44, 45, 46, 47, 58, 59, 60), rig.active(1));
        assertEquals(list(60, 69), rig.touch(1, ids(61, 70)));
        assertEquals(Set.of(8, 9, 33, 44, 45, 46, 47, 58, 59, 70), rig.active(1));
        assertEquals(List.of(1, 5, 7, 8, 7, 3, 1), windows);
    }

    @Test
    @DisplayName("PASS-31 composite: the limit is changed while running")
    void withAnotherLimit() {
        PassivationRig rig = fresh();
        assertEquals(join(List.of(37, 38), list(1, 8)), rig.touch(2, 50));
        assertEquals(join(List.of(39), list(9, 12)), rig.limit(10));
        assertEquals(List.of(40, 13, 14, 15, 16, 5, 6, 7, 8, 9), rig.touch(1, ids(1, 10)));
        assertEquals(Set.of(1, 2, 3, 4, 10), rig.active(1));
        assertEquals(List.of(), rig.limit(30));
        assertEquals(list(13, 17), rig.touch(1, ids(1, 20)));
        assertEquals(join(list(1, 12), list(18, 20)), List.copyOf(rig.active(1)));
    }

    @Test
    @DisplayName("PASS-40 window over least frequently used without filter: everybody is admitted")
    void withoutFilterEverybodyIsAdmitted() {
        PassivationRig rig = PassivationRig.composite(
                5, new Replacing(Order.LEAST_FREQUENT, List.of()), new Admission(FIFTH, null, null));
        assertEquals(list(1, 5), rig.touch(1, ids(1, 10)));
        assertEquals(Set.of(10), rig.inWindow(1));
    }
}
