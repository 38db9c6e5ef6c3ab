package io.shardbus.core.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.RestartPolicy;
import io.shardbus.model.RestartPolicy.Action;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class RestartLimitTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final RestartPolicy TWICE = RestartPolicy.restart().withLimit(2, SECOND);

    private final Failures failures = new Failures();

    private Action at(RestartPolicy policy, long now) {
        return failures.judge(policy, now, false, false);
    }

    @Test
    void givesUpWithOneMoreThanTheLimitWithinTheTime() {
        assertEquals(Action.RESTARTED, at(TWICE, 0));
        assertEquals(Action.RESTARTED, at(TWICE, 500));
        assertEquals(Action.GAVE_UP, at(TWICE, 999));
    }

    @Test
    void failuresThatAreLongAgoDoNotCount() {
        at(TWICE, 0);
        at(TWICE, 500);
        assertEquals(Action.RESTARTED, at(TWICE, 1_000));
        assertEquals(Action.GAVE_UP, at(TWICE, 1_499));
    }

    @Test
    void aSuccessEndsTheRowButNotTheCount() {
        at(TWICE, 0);
        Failures left = Failures.afterSuccess(failures);
        assertNotNull(left);
        assertEquals(0, left.inARow());
        assertEquals(Action.RESTARTED, at(TWICE, 1));
        assertEquals(1, left.inARow());
        assertEquals(Action.GAVE_UP, at(TWICE, 2));
    }

    @Test
    void withoutALimitASuccessLeavesNothing() {
        assertEquals(Action.RESUMED, at(RestartPolicy.resume(), 0));
        assertNull(Failures.afterSuccess(failures));
        assertNull(Failures.afterSuccess(null));
    }

    @Test
    void aLimitOfNoneStopsAtTheFirst() {
        assertEquals(Action.GAVE_UP, at(RestartPolicy.resume().withLimit(0, SECOND), 0));
    }

    @Test
    void whatCannotStartIsReplacedOnlyAfterAPause() {
        assertEquals(Action.STOPPED, failures.judge(RestartPolicy.resume(), 0, true, false));
        assertEquals(Action.STOPPED, failures.judge(RestartPolicy.restart(), 0, true, false));
        RestartPolicy pausing = RestartPolicy.stopWithBackoff(Duration.ofMillis(10), Duration.ofMillis(30));
        assertEquals(Action.BACKING_OFF, failures.judge(pausing, 0, true, false));
    }

    @Test
    void whatIsToStopAnywayIsNotReplaced() {
        assertEquals(Action.STOPPED, failures.judge(RestartPolicy.restart(), 0, false, true));
        RestartPolicy pausing = RestartPolicy.stopWithBackoff(Duration.ofMillis(10), Duration.ofMillis(30));
        assertEquals(Action.STOPPED, failures.judge(pausing, 0, false, true));
        assertEquals(Action.BACKING_OFF, failures.judge(pausing, 0, false, false));
        assertEquals(30, failures.pause(pausing));
    }

    @Test
    void refusesLimitsOutOfRange() {
        RestartPolicy plain = RestartPolicy.restart();
        assertFalse(plain.isLimited());
        assertTrue(TWICE.isLimited());
        assertThrows(IllegalArgumentException.class, () -> plain.withLimit(-1, SECOND));
        assertThrows(IllegalArgumentException.class, () -> plain.withLimit(1_001, SECOND));
        assertThrows(IllegalArgumentException.class, () -> plain.withLimit(1, Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> plain.withLimit(1, Duration.ofDays(2)));
        assertThrows(IllegalArgumentException.class, () -> RestartPolicy.stop().withLimit(1, SECOND));
    }

    @Test
    void aPauseMayDoubleForEver() {
        Duration ever = ChronoUnit.FOREVER.getDuration();
        RestartPolicy unbounded = RestartPolicy.stopWithBackoff(Duration.ofMillis(10), ever);
        at(unbounded, 0);
        assertEquals(10, failures.pause(unbounded));
        at(unbounded, 0);
        assertEquals(20, failures.pause(unbounded));
        assertTrue(failures.pause(RestartPolicy.stopWithBackoff(ever, ever)) > 0);
    }
}
