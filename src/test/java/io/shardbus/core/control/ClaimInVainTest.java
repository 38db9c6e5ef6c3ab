package io.shardbus.core.control;

import static io.shardbus.core.control.Elections.A;
import static io.shardbus.core.control.Elections.B;
import static io.shardbus.core.control.Elections.record;
import static io.shardbus.core.control.Elections.view;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.shardbus.core.control.Election.Outcome;
import io.shardbus.core.control.ElectionCommand.Begin;
import io.shardbus.core.control.ElectionCommand.Read;
import io.shardbus.core.control.ElectionCommand.Replace;
import io.shardbus.model.TermRecord;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A claim that takes hold while its node does not learn so, and the node's next one. */
class ClaimInVainTest {
    private final Election election = Elections.ofA();

    /** Claims, and does not learn whether the claim took hold: no reign begins. The record is read once more at 60. */
    private void claimsInVainAfter(TermRecord before) {
        election.viewChanged(view(A, B), false, false, 0);
        election.readCompleted(1, before, 10);
        assertEquals(List.of(new Read(3)), election.replaceCompleted(2, Outcome.WRITTEN, 20));
        assertEquals(List.of(), election.readFailed(3, 30));
        assertEquals(List.of(new Read(4)), election.tick(60));
    }

    /** It has granted nothing: the reign before it is the last that may have. */
    @Test
    void aClaimWithWhichNoReignBeganIsNoPredecessor() {
        TermRecord before = record(5, B, 20, TermRecord.RELEASED);
        claimsInVainAfter(before);
        TermRecord own = record(6, A, 10, 0);
        TermRecord next = record(7, A, 10, 0);
        assertEquals(List.of(new Replace(5, own, next)), election.readCompleted(4, own, 70));
        election.replaceCompleted(5, Outcome.WRITTEN, 80);
        assertEquals(
                new Begin(next.termId(), before.termId(), 10, 70, B),
                election.readCompleted(6, next, 90).get(0));
    }

    /** The other side may have had a reign of which the record does not tell. */
    @Test
    void afterAMergeTheLastRecordIsThatOfThePredecessor() {
        claimsInVainAfter(record(5, B, 20, TermRecord.RELEASED));
        election.viewChanged(view(A, B), false, true, 65);
        TermRecord own = record(6, A, 10, 0);
        TermRecord next = record(7, A, 10, 0);
        assertEquals(List.of(new Replace(5, own, next)), election.readCompleted(4, own, 70));
        election.replaceCompleted(5, Outcome.WRITTEN, 80);
        Begin begin = (Begin) election.readCompleted(6, next, 90).get(0);
        assertEquals(own.termId(), begin.predecessor());
        assertNull(begin.givenUpBy());
    }
}
