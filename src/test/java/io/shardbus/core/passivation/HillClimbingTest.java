package io.shardbus.core.passivation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.passivation.PassivationSettings.Climbing;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HillClimbingTest {
    private static List<Double> steps(HillClimbing climbing, int accesses, IntPredicate active) {
        List<Double> steps = new ArrayList<>();
        for (int access = 1; access <= accesses; access++) {
            steps.add(climbing.access(active.test(access)));
        }
        return steps;
    }

    private static HillClimbing climbing(double step, double multiplier) {
        HillClimbing climbing = new HillClimbing(new Climbing(multiplier, step, 0.5, 0.5));
        climbing.limit(5);
        return climbing;
    }

    private static List<Double> each(List<Double> steps, int interval) {
        return IntStream.rangeClosed(1, steps.size() / interval)
                .mapToObj(i -> steps.get(i * interval - 1))
                .toList();
    }

    @Test
    @DisplayName("PASS-32 hill climbing: the first step is minus the initial one, and there is one in each sample only")
    void oneStepPerSample() {
        List<Double> steps = steps(climbing(0.123, 2), 100, access -> false);
        assertEquals(-0.123, steps.get(9));
        for (int access = 1; access <= 100; access++) {
            assertEquals(access % 10 == 0, steps.get(access - 1) != 0, "access " + access);
        }
    }

    @Test
    @DisplayName("PASS-33 hill climbing: steps decay, and begin anew after a jump of the rate")
    void stepsDecayAndBeginAnew() {
        List<Double> steps = each(steps(climbing(0.1, 2), 100, access -> access > 50), 10);
        for (int n = 1; n <= 6; n++) {
            assertEquals(-0.1 * Math.pow(0.5, n - 1), steps.get(n - 1), 1e-12);
        }
        assertEquals(-0.1, steps.get(6), 1e-12);
        assertEquals(-0.05, steps.get(7), 1e-12);
        assertEquals(-0.025, steps.get(8), 1e-12);
    }

    @Test
    @DisplayName("PASS-34 hill climbing: the direction changes whenever the rate falls")
    void aFallingRateTurns() {
        HillClimbing climbing = new HillClimbing(new Climbing(10, 0.1, 0.5, 0.5));
        climbing.limit(5);
        // one hit fewer in each sample of 50
        List<Double> steps = each(steps(climbing, 300, access -> (access - 1) % 50 < 20 - access / 50), 50);
        for (int n = 1; n < steps.size(); n++) {
            assertEquals(-Math.signum(steps.get(n - 1)), Math.signum(steps.get(n)), "sample " + n);
        }
    }
}
