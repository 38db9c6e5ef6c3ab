package io.shardbus.core.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.control.Election.Outcome;
import io.shardbus.core.control.ElectionCommand.Begin;
import io.shardbus.core.control.ElectionCommand.Confirmed;
import io.shardbus.core.control.ElectionCommand.Read;
import io.shardbus.core.control.ElectionCommand.Replace;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
import java.util.List;

/** The nodes, records and first reign that tests of the election share. */
final class Elections {
    static final NodeId A = new NodeId("a");
    static final NodeId B = new NodeId("b");
    static final NodeId C = new NodeId("c");
    static final LeaseTimes TIMES = new LeaseTimes(1_000, 300, true);
    static final TermRecord OF_A = record(1, A, 10, 0);

    private Elections() {}

    /** That of node A, whose process began at -50. */
    static Election ofA() {
        return new Election(A, 10, true, Seats.ALONE, TIMES, -50);
    }

    static TermRecord record(long term, NodeId owner, long incarnation, long beat) {
        return new TermRecord(term, owner, incarnation, beat, TIMES.lease(), null);
    }

    static ElectionView view(NodeId... members) {
        return new ElectionView(List.of(members), List.of(members), true);
    }

    /** Reads nothing, claims, verifies: the first term begins at 30. */
    static void reign(Election election) {
        assertEquals(List.of(new Read(1)), election.viewChanged(view(A, B), false, false, 0));
        assertEquals(List.of(new Replace(2, null, OF_A)), election.readCompleted(1, null, 10));
        assertEquals(List.of(new Read(3)), election.replaceCompleted(2, Outcome.WRITTEN, 20));
        TermId term = new TermId(1, 10);
        assertEquals(
                List.of(new Begin(term, TermId.NONE, -50, 10), new Confirmed(term, 10)),
                election.readCompleted(3, OF_A, 30));
    }
}
