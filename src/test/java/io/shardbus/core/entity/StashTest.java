package io.shardbus.core.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.RestartPolicy;
import io.shardbus.model.StopReason;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages that an entity puts aside. */
class StashTest extends CellFixture {
    /** Has stashed 1, and 2 and 3 wait, of which it takes up the first. */
    private EntityCell stashed(RestartPolicy policy) {
        EntityCell cell = idle(policy);
        cell.offer(tell(1));
        cell.offer(tell(2));
        cell.offer(tell(3));
        code.stash();
        runReady();
        log.clear();
        return cell;
    }

    @Test
    void stashedMessagesComeBeforeWhatWaits() {
        EntityCell cell = stashed(RestartPolicy.restart());
        code.stash();
        cell.unstash();
        assertEquals(3, cell.waiting(), "3 was never in hand");
        for (int i = 0; i < 3; i++) {
            runReady();
            code.finish();
        }
        assertEquals(
                List.of("receive 1", "answered done", "receive 2", "answered done", "receive 3", "answered done"), log);
        assertTrue(cell.isQuiet());
    }

    @Test
    void whatIsStashedKeepsItBusyButNotWaiting() {
        EntityCell cell = idle(RestartPolicy.restart());
        cell.offer(tell(1));
        code.stash();
        assertFalse(cell.isQuiet());
        assertEquals(0, cell.waiting());
        cell.offer(tell(2));
        assertEquals("receive 2", log.get(log.size() - 1));
    }

    @Test
    void refusesToStashMoreThanMayWait() {
        EntityCell cell = idle(RestartPolicy.restart());
        for (int i = 1; i <= 3; i++) {
            cell.offer(tell(i));
            code.stash();
        }
        assertEquals(List.of("receive 1", "receive 2", "receive 3", "3 failed MAILBOX_FULL"), log);
    }

    @Test
    void stashesNothingThatFailsOrIsNotInHand() {
        EntityCell cell = idle(RestartPolicy.resume());
        cell.offer(tell(1));
        cell.stashCurrent();
        code.fail();
        assertTrue(cell.isQuiet());
        assertThrows(IllegalStateException.class, cell::stashCurrent);
        cell.offer(tell(2));
        code.finish();
        assertTrue(log.contains("answered done"), "the wish to stash was for the message before");
    }

    @Test
    void theNextInstanceGetsTheStashAfterARestart() {
        stashed(RestartPolicy.restart());
        code.fail();
        code.begin();
        runReady();
        assertEquals(List.of("2 failed ENTITY_FAILED", "RESTARTED 1", "discard", "start RESTART", "receive 1"), log);
    }

    @Test
    void theNextInstanceGetsTheStashAfterAPassivation() {
        EntityCell cell = idle(RestartPolicy.restart());
        cell.offer(tell(1));
        code.stash();
        cell.putAway();
        runReady();
        log.clear();
        code.end();
        code.begin();
        runReady();
        assertEquals(List.of("discard", "start MESSAGE", "receive 1"), log);
    }

    @Test
    void theNextInstanceGetsTheStashAfterAPause() {
        EntityCell cell = stashed(RestartPolicy.stopWithBackoff(Duration.ofMillis(50), Duration.ofMillis(80)));
        code.fail();
        assertEquals(2, cell.waiting());
        cell.hurry();
        code.begin();
        runReady();
        assertEquals("receive 1", log.get(log.size() - 1));
    }

    @Test
    void aStopFailsWhatIsStashedMeanwhile() {
        EntityCell cell = idle(RestartPolicy.restart());
        cell.offer(tell(1));
        cell.stop(StopReason.HANDOFF);
        code.stash();
        log.clear();
        code.end();
        assertEquals(List.of("discard", "1 failed ENTITY_STOPPED", "ended"), log);
    }

    @Test
    void aDiscardedStashIsRefused() {
        EntityCell cell = idle(RestartPolicy.restart());
        cell.failStash();
        cell.offer(tell(1));
        code.stash();
        cell.failStash();
        assertEquals(List.of("receive 1", "1 failed ENTITY_STOPPED"), log);
        assertTrue(cell.isQuiet());
    }
}
