package io.shardbus.core.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.coordinator.CoordinatorSettings;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.model.NodeId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a node's election wants is carried out, also when a consequence of it fails. */
class TermsTest {
    private static final NodeId SELF = new NodeId("a");
    private static final NodeId OTHER = new NodeId("b");
    private static final LeaseTimes TIMES = new LeaseTimes(2_000, 300, true);

    private final Turn turn = new Turn(0);
    private boolean broken;
    private final Terms terms = new Terms(
            new NodeSetup(SELF, 1, true, Seats.ALONE, TIMES, 0, true, false, "keep-majority"),
            (type, begin) -> new CoordinatorSettings(TIMES, 3_000, 100, 0),
            this::members,
            Set::of,
            new Terms.Effects() {
                @Override
                public void founded() {}

                @Override
                public void tookPart(long sent) {}
            },
            turn);

    private List<NodeId> members() {
        if (broken) {
            throw new IllegalStateException("a mistake");
        }
        return List.of(SELF, OTHER);
    }

    private static ElectionView view(NodeId... members) {
        return new ElectionView(List.of(members), List.of(members), true);
    }

    private <T extends ElectionCommand> T last(Class<T> kind) {
        List<NodeCommand> commands = turn.end();
        assertTrue(!commands.isEmpty(), "nothing is wanted");
        return kind.cast(((NodeCommand.Elected) commands.get(commands.size() - 1)).command());
    }

    /** Else the node would wait for the operation's end for ever, and its cluster for a coordinator. */
    @Test
    void anOperationBehindAConsequenceThatFailsIsCarriedOut() {
        Election election = terms.election();
        turn.begin(10, 0);
        terms.elect(election.viewChanged(view(SELF), false, false, 10));
        ElectionCommand.Read read = last(ElectionCommand.Read.class);
        terms.elect(election.readCompleted(read.operation(), null, 20));
        ElectionCommand.Replace claim = last(ElectionCommand.Replace.class);
        terms.elect(election.replaceCompleted(claim.operation(), Election.Outcome.WRITTEN, 30));
        ElectionCommand.Read check = last(ElectionCommand.Read.class);
        terms.elect(election.viewChanged(view(SELF, OTHER), false, false, 35));
        broken = true;
        turn.begin(40, 0);
        assertThrows(
                IllegalStateException.class,
                () -> terms.elect(election.readCompleted(check.operation(), claim.next(), 40)));
        ElectionCommand.Replace confirmation = last(ElectionCommand.Replace.class);
        assertEquals(claim.next(), confirmation.expected());
    }
}
