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
    private Cell stashed(RestartPolicy policy) {
        Cell cell = idle(policy);
        cell.offer(tell(1));
        cell.offer(tell(2));
        cell.offer(tell(3));
        cell.stash();
        runReady();
        log.clear();
        return cell;
    }

    @Test
    void stashedMessagesComeBeforeWhatWaits() {
        Cell cell = stashed(RestartPolicy.restart());
        cell.stash();
        cell.unstash();
        assertEquals(3, cell.waiting(), "3 was never in hand");
        for (int i = 0; i < 3; i++) {
            runReady();
            cell.finish();
        }
        assertEquals(
                List.of("receive 1", "answered done", "receive 2", "answered done", "receive 3", "answered done"), log);
        assertTrue(cell.isQuiet());
    }

    @Test
    void whatIsStashedKeepsItBusyButNotWaiting() {
        Cell cell = idle(RestartPolicy.restart());
        cell.offer(tell(1));
        cell.stash();
        assertFalse(cell.isQuiet());
        assertEquals(0, cell.waiting());
        cell.offer(tell(2));
        assertEquals("receive 2", log.get(log.size() - 1));
    }

    @Test
    void refusesToStashMoreThanMayWait() {
        Cell cell = idle(RestartPolicy.restart());
        for (int i = 1; i <= 3; i++) {
            cell.offer(tell(i));
            cell.stash();
        }
        assertEquals(List.of("receive 1", "receive 2", "receive 3", "3 failed MAILBOX_FULL"), log);
    }

    @Test
    void stashesNothingThatFailsOrIsNotInHand() {
        Cell cell = idle(RestartPolicy.resume());
        cell.offer(tell(1));
        cell.stashCurrent();
        cell.fail();
        assertTrue(cell.isQuiet());
        assertThrows(IllegalStateException.class, cell::stashCurrent);
        cell.offer(tell(2));
        cell.finish();
        assertTrue(log.contains("answered done"), "the wish to stash was for the message before");
    }

    @Test
    void theNextInstanceGetsTheStashAfterARestart() {
        Cell cell = stashed(RestartPolicy.restart());
        cell.fail();
        cell.begin();
        runReady();
        assertEquals(List.of("2 failed ENTITY_FAILED", "RESTARTED 1", "discard", "start RESTART", "receive 1"), log);
    }

    @Test
    void theNextInstanceGetsTheStashAfterAPassivation() {
        Cell cell = idle(RestartPolicy.restart());
        cell.offer(tell(1));
        cell.stash();
        cell.putAway();
        runReady();
        log.clear();
        cell.end();
        cell.begin();
        runReady();
        assertEquals(List.of("discard", "start MESSAGE", "receive 1"), log);
    }

    @Test
    void theNextInstanceGetsTheStashAfterAPause() {
        Cell cell = stashed(RestartPolicy.stopWithBackoff(Duration.ofMillis(50), Duration.ofMillis(80)));
        cell.fail();
        assertEquals(2, cell.waiting());
        cell.hurry();
        cell.begin();
        runReady();
        assertEquals("receive 1", log.get(log.size() - 1));
    }

    @Test
    void aStopFailsWhatIsStashedMeanwhile() {
        Cell cell = idle(RestartPolicy.restart());
        cell.offer(tell(1));
        cell.stop(StopReason.HANDOFF);
        cell.stash();
        log.clear();
        cell.end();
        assertEquals(List.of("discard", "1 failed ENTITY_STOPPED", "ended"), log);
    }

    @Test
    void aDiscardedStashIsRefused() {
        Cell cell = idle(RestartPolicy.restart());
        cell.failStash();
        cell.offer(tell(1));
        cell.stash();
        cell.failStash();
        assertEquals(List.of("receive 1", "1 failed ENTITY_STOPPED"), log);
        assertTrue(cell.isQuiet());
    }
}
