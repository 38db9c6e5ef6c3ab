package io.shardbus.core.latency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.LatencyReport.HotEntity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The hot entities of a lane")
class HotEntitiesTest {
    private static final int ONE_OF = 10;
    private static final long MICROS = 50;

    private final HotEntities hot = new HotEntities(ONE_OF, 0);

    private void handled(String id, int times) {
        for (int i = 0; i < times; i++) {
            hot.handled(id, 3, true, false, MICROS);
        }
    }

    private List<String> ids(long now) {
        return hot.hottest(now).stream().map(HotEntity::id).toList();
    }

    @Test
    @DisplayName("rates and busy time are estimated from one message of so many")
    void estimates() {
        handled("busy", 100);
        handled("idle", 2);
        handled("measured once", 1);
        assertEquals(
                List.of(new HotEntity("busy", 3, 100, 0.005), new HotEntity("idle", 3, 2, 0.0001)),
                hot.hottest(10_000));
    }

    @Test
    @DisplayName(
            "among many more entities than places the hot ones are found, and none is said to be hotter than it is")
    void findsTheHotAmongMany() {
        var random = new Random(7);
        int ofHot = 0;
        for (int i = 0; i < 100_000; i++) {
            boolean isHot = random.nextInt(20) == 0;
            ofHot += isHot ? 1 : 0;
            hot.handled(isHot ? "hot" : "e" + random.nextInt(50_000), 3, true, false, MICROS);
        }
        List<HotEntity> hottest = hot.hottest(10_000);
        assertEquals("hot", hottest.get(0).id());
        double real = ofHot * ONE_OF / 10.0;
        assertTrue(hottest.get(0).perSecond() <= real, hottest::toString);
        assertTrue(hottest.get(0).perSecond() > 0.8 * real, hottest::toString);
        assertTrue(hottest.stream().skip(1).allMatch(other -> other.perSecond() < 0.02 * real), hottest::toString);
    }

    @Test
    @DisplayName("a slow entity with few messages is found among many quick ones, with its time")
    void findsTheSlowAmongManyQuick() {
        var random = new Random(7);
        for (int i = 0; i < 100_000; i++) {
            hot.handled("e" + random.nextInt(2_000), 3, true, false, MICROS);
            if (i % 20_000 == 0) {
                hot.handled("slow", 3, false, true, 900_000);
            }
        }
        HotEntity busiest = hot.hottest(10_000).stream()
                .max(Comparator.comparingDouble(HotEntity::busy))
                .orElseThrow();
        assertEquals(new HotEntity("slow", 3, 0.5, 0.45), busiest);
    }

    @Test
    @DisplayName("a long message counts for its time alone, also if it is measured")
    void aLongMessageIsNoEstimate() {
        hot.handled("slow", 3, true, true, 2_000_000);
        assertEquals(List.of(new HotEntity("slow", 3, 1, 0.2)), hot.hottest(10_000));
    }

    @Test
    @DisplayName("among many slow entities none is said to be busier than it is, nor busier than all the time")
    void theTimeOfManySlowOnesIsNoEstimate() {
        for (int i = 0; i < 3_000; i++) {
            hot.handled("slow" + i % 300, 3, i % 7 == 0, true, 20_000);
        }
        hot.handled("waits", 3, true, true, 600_000_000);
        for (HotEntity entity : hot.hottest(10_000)) {
            double most = entity.id().equals("waits") ? 1 : 0.02;
            assertTrue(entity.busy() <= most + 1e-9, entity::toString);
        }
    }

    @Test
    @DisplayName("both rankings have their fifty, and those with most messages are first")
    void bothRankingsAreWhole() {
        for (int i = 0; i < 60; i++) {
            handled("quick" + i, 1_000 - i);
            hot.handled("slow" + i, 3, false, true, 1_000_000 - i);
        }
        List<String> ids = ids(10_000);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < HotEntity.MOST; i++) {
            expected.add("quick" + i);
        }
        assertEquals(expected, ids.subList(0, HotEntity.MOST));
        assertEquals(
                HotEntity.MOST,
                ids.stream().filter(id -> id.matches("slow[0-4]?[0-9]")).count());
        assertEquals(2 * HotEntity.MOST, ids.size());
    }

    @Test
    @DisplayName("a window counts until the next one is over, then it is forgotten")
    void forgets() {
        handled("first", 10);
        hot.tick(HotEntities.WINDOW);
        handled("second", 10);
        assertEquals(
                List.of("first", "second"),
                ids(HotEntities.WINDOW + 1).stream().sorted().toList());
        hot.tick(2 * HotEntities.WINDOW);
        assertEquals(List.of("second"), ids(2 * HotEntities.WINDOW + 1));
        hot.tick(3 * HotEntities.WINDOW);
        assertEquals(List.of(), ids(3 * HotEntities.WINDOW + 1));
    }

    @Test
    @DisplayName("after a pause of the process the window before it does not count")
    void aPauseForgets() {
        handled("before", 10);
        hot.tick(10 * HotEntities.WINDOW);
        assertEquals(List.of(), ids(10 * HotEntities.WINDOW + 1));
    }
}
