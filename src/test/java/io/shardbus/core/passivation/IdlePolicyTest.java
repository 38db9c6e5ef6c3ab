package io.shardbus.core.passivation;

import static io.shardbus.core.passivation.PassivationRig.ids;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.passivation.PassivationSettings.ActiveLimit;
import io.shardbus.core.passivation.PassivationSettings.Admission;
import io.shardbus.core.passivation.PassivationSettings.Climbing;
import io.shardbus.core.passivation.PassivationSettings.Idle;
import io.shardbus.core.passivation.PassivationSettings.Order;
import io.shardbus.core.passivation.PassivationSettings.Replacing;
import io.shardbus.core.passivation.PassivationSettings.Sketch;
import io.shardbus.core.passivation.PassivationSettings.Window;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The idle timeout, alone and together with a limit. */
class IdlePolicyTest {
    private static final Idle SECOND = new Idle(1000, 500);

    private static void onlyTheIdleEnd(PassivationSettings settings) {
        PassivationRig rig = PassivationRig.of(settings);
        Map<Integer, Long> last = new HashMap<>();
        assertEquals(List.of(), rig.touch(1, 1, 2, 3));
        last.put(1, rig.now);
        last.put(2, rig.now);
        Map<Integer, Long> stopped = new HashMap<>();
        for (long now = 10; now <= 6000; now += 10) {
            rig.tick(now).forEach(id -> stopped.put(id, rig.now));
            if (now % 500 == 0 && now <= 3000) {
                assertEquals(List.of(), rig.touch(1, 3));
                last.put(3, now);
            }
        }
        assertEquals(Set.of(1, 2, 3), stopped.keySet());
        stopped.forEach((id, moment) -> assertTrue(moment - last.get(id) >= 1000, id + " at " + moment));
        stopped.forEach((id, moment) -> assertTrue(moment - last.get(id) <= 1600, id + " at " + moment));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("PASS-09 a limit with an idle timeout: the idle end, the busy stay")
    void withALimit(Order order) {
        onlyTheIdleEnd(new PassivationSettings(SECOND, new ActiveLimit(3, new Replacing(order, List.of()), null)));
    }

    @Test
    @DisplayName("PASS-09 the composite with an idle timeout: the idle end, the busy stay")
    void withTheComposite() {
        Admission admission = new Admission(
                new Window(Replacing.RECENT, 0.01, 0.01, 1),
                new Sketch(4, 4, 4, 10),
                new Climbing(10, 0.0625, 0.05, 0.98));
        Replacing main = new Replacing(Order.LEAST_RECENT, List.of(0.2, 0.8));
        onlyTheIdleEnd(new PassivationSettings(SECOND, new ActiveLimit(3, main, admission)));
    }

    @Test
    void withoutALimit() {
        onlyTheIdleEnd(new PassivationSettings(SECOND, null));
    }

    @Test
    @DisplayName("PASS-01, PASS-42 without policy no entity ends")
    void none() {
        PassivationRig rig = PassivationRig.of(PassivationSettings.NONE);
        assertEquals(List.of(), rig.touch(1, ids(1, 1000)));
        assertEquals(List.of(), rig.tick(1_000_000));
        assertEquals(0, rig.putAway());
    }

    @Test
    void manyThatAreIdleEndInPortions() {
        PassivationRig rig = PassivationRig.of(new PassivationSettings(SECOND, null));
        rig.touch(1, ids(1, 1500));
        rig.touch(2, ids(2001, 3000));
        assertEquals(0, rig.tick(10).size());
        assertEquals(1000, rig.tick(1000).size());
        assertEquals(1000, rig.tick(1010).size());
        assertEquals(500, rig.tick(1020).size());
        assertEquals(2500, rig.putAway());
    }
}
