package io.shardbus.simulation.seeds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.simulation.Schedule;
import io.shardbus.simulation.Violation;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShrinkerTest {
    private static final Family FAMILY = Family.PARTITIONS;

    /** Stands for a run that breaks a promise if these faults and this burst are in its schedule. */
    private static Violation brokenBy(Schedule schedule, List<Integer> faults, int burst) {
        List<Integer> present =
                schedule.steps().stream().map(Schedule.Step::number).toList();
        boolean sent = schedule.bursts().stream().anyMatch(other -> other.number() == burst);
        if (present.containsAll(faults) && sent) {
            return new Violation(Violation.Kind.LOST, "lost under " + schedule);
        }
        return present.isEmpty() ? new Violation(Violation.Kind.ORDER, "another one") : null;
    }

    @Test
    void leavesWhatTheSameViolationNeeds() {
        Violation first = new Violation(Violation.Kind.LOST, "the first");
        Shrinker shrinker = new Shrinker(FAMILY, 1, first, schedule -> brokenBy(schedule, List.of(2, 5), 77));
        String told = shrinker.shrink();
        assertEquals("f2,f5,b77", shrinker.smallest().toString());
        assertTrue(told.contains("-Dshardbus.simulation.keep=f2,f5,b77"), told);
        assertTrue(told.contains("lost under f2,f5,b77"), told);
    }

    @Test
    void takesNoOtherViolationForTheSame() {
        Violation first = new Violation(Violation.Kind.LOST, "the first");
        Shrinker shrinker = new Shrinker(FAMILY, 1, first, schedule -> brokenBy(schedule, List.of(0), 0));
        shrinker.shrink();
        assertEquals("f0,b0", shrinker.smallest().toString());
    }
}
