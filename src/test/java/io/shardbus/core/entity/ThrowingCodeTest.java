package io.shardbus.core.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardbus.model.RestartPolicy;
import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Code that throws at its cell, and answers that do: what was begun ends, and the cell goes on. */
class ThrowingCodeTest extends CellFixture {
    @Test
    void aMessageWhoseCallThrowsFailsAndThePolicyActs() {
        EntityCell cell = idle(RestartPolicy.resume());
        code.throwing = true;
        cell.offer(tell(1));
        assertEquals(List.of("receive 1", "broken by a call", "1 failed ENTITY_FAILED", "RESUMED 1"), log);
        code.throwing = false;
        log.clear();
        cell.offer(tell(2));
        code.finish();
        assertEquals(List.of("receive 2", "answered done"), log);
    }

    @Test
    void aStartWhoseCallThrowsFails() {
        EntityCell cell = cell(RestartPolicy.stop());
        code.throwing = true;
        cell.start(StartReason.MESSAGE);
        assertEquals(CellState.ENDED, cell.state());
    }

    @Test
    void aStopWhoseCallThrowsEnds() {
        EntityCell cell = idle(RestartPolicy.stop());
        code.throwing = true;
        cell.stop(StopReason.HANDOFF);
        assertEquals(CellState.ENDED, cell.state());
        assertEquals(List.of("stop HANDOFF", "broken by a call", "discard", "broken by a call", "ended"), log);
    }

    @Test
    void aTurnWhoseCallThrowsIsOver() {
        EntityCell cell = idle(RestartPolicy.stop());
        code.throwing = true;
        cell.askForTurn();
        runReady();
        assertEquals(CellState.IDLE, cell.state());
    }

    @Test
    void anOfferWhoseCallThrowsIsARefusal() {
        EntityCell cell = idle(RestartPolicy.stop());
        code.throwing = true;
        cell.offerState();
        assertEquals(CellState.OFFERED, cell.state());
        assertEquals(List.of("offer", "broken by a call", "offered"), log);
    }

    @Test
    void anAnswerThatThrowsLeavesItsCellIdle() {
        EntityCell cell = idle(RestartPolicy.stop());
        cell.offer(tell(1));
        cell.offer(tell(2));
        owner.throwing = true;
        assertThrows(IllegalStateException.class, () -> code.finish());
        owner.throwing = false;
        log.clear();
        runReady();
        assertEquals(List.of("receive 2"), log);
    }

    @Test
    void aFailureThatThrowsIsTreatedByThePolicyAllTheSame() {
        EntityCell cell = idle(RestartPolicy.restart());
        cell.offer(tell(1));
        owner.throwing = true;
        assertThrows(IllegalStateException.class, () -> code.fail());
        assertEquals(CellState.STARTING, cell.state());
    }
}
