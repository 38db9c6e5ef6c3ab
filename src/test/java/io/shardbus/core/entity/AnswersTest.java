package io.shardbus.core.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.model.FailureCode;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswersTest extends CellFixture {
    private static final Failure THROWN = Failure.of(FailureCode.ENTITY_FAILED, "thrown");
    private static final Failure NOT_BEGUN = Failure.of(FailureCode.NOT_IN_MAJORITY, "no thread in time");

    private static Envelope ask() {
        return new Envelope(1, "e", "ask", 5, null);
    }

    @Test
    void answersLeaveUnderALease() {
        Answers.give(owner, ask(), "done");
        Answers.fail(owner, ask(), THROWN);
        assertEquals(List.of("answered done", "ask failed ENTITY_FAILED"), log);
    }

    @Test
    void withoutALeaseTheOutcomeOfAnAskIsUnknown() {
        owner.lease = false;
        Answers.give(owner, ask(), "done");
        Answers.fail(owner, ask(), THROWN);
        assertEquals(List.of("ask failed OUTCOME_UNKNOWN", "ask failed OUTCOME_UNKNOWN"), log);
    }

    @Test
    void withoutALeaseAnAskThatWasNeverBegunFailsAsThat() {
        owner.lease = false;
        Answers.fail(owner, ask(), NOT_BEGUN);
        assertEquals(List.of("ask failed NOT_IN_MAJORITY"), log);
    }

    @Test
    void aTellHasNoOutcomeToHide() {
        owner.lease = false;
        Answers.give(owner, tell("tell"), null);
        Answers.fail(owner, tell("tell"), THROWN);
        assertEquals(List.of("answered null", "tell failed ENTITY_FAILED"), log);
    }
}
