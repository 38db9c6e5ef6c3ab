package io.shardbus.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.NodeId;
import io.shardbus.model.TermRecord;
import io.shardbus.spi.StateStore;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What every state store keeps. An implementation's test gives the stores of several nodes that share one content. */
public abstract class StateStoreContract {
    private static final int ROUNDS = 20;

    /** Started stores, one per node, of one cluster that holds no term record yet. */
    protected abstract List<StateStore> nodes();

    @Test
    void isEmptyAtFirst() {
        for (var node : nodes()) {
            assertNull(await(node.readTerm()));
        }
    }

    @Test
    void whatOneNodeWroteEveryNodeReads() {
        var written = record(1, "a", 7, 0);
        assertTrue(await(first().replaceTerm(null, written)));
        for (var node : nodes()) {
            assertEquals(written, await(node.readTerm()));
        }
    }

    @Test
    void createsOnlyWhereNothingIs() {
        var present = record(1, "a", 7, 0);
        assertTrue(await(first().replaceTerm(null, present)));
        for (var node : nodes()) {
            assertFalse(await(node.replaceTerm(null, record(2, "b", 8, 0))));
        }
        assertEquals(present, await(last().readTerm()));
    }

    @Test
    void replacesNothingWhereNothingIs() {
        assertFalse(await(first().replaceTerm(record(1, "a", 7, 0), record(2, "a", 7, 0))));
        assertNull(await(last().readTerm()));
    }

    @Test
    void replacesAnEqualRecordOfAnyWriter() {
        assertTrue(await(first().replaceTerm(null, record(1, "a", 7, 0))));
        assertTrue(await(last().replaceTerm(record(1, "a", 7, 0), record(2, "b", 8, 0))));
        assertTrue(await(first().replaceTerm(record(2, "b", 8, 0), record(2, "b", 8, 1))));
        assertEquals(record(2, "b", 8, 1), await(last().readTerm()));
    }

    @Test
    void everyFieldCountsInTheComparison() {
        var present = record(5, "a", 7, 3);
        assertTrue(await(first().replaceTerm(null, present)));
        var others = List.of(record(4, "a", 7, 3), record(5, "b", 7, 3), record(5, "a", 6, 3), record(5, "a", 7, 2));
        for (var other : others) {
            assertFalse(await(last().replaceTerm(other, record(6, "b", 1, 0))), other.toString());
        }
        assertEquals(present, await(first().readTerm()));
    }

    @Test
    void keepsTheExtremesOfEveryField() {
        var extreme = record(Long.MAX_VALUE, "näme-\uD83D\uDE80", Long.MIN_VALUE, Long.MAX_VALUE);
        assertTrue(await(first().replaceTerm(null, extreme)));
        assertEquals(extreme, await(last().readTerm()));
    }

    @Test
    void ofConcurrentClaimsExactlyOneWins() {
        TermRecord present = null;
        for (int round = 1; round <= ROUNDS; round++) {
            var claims = new ArrayList<TermRecord>();
            var answers = new ArrayList<Future<Boolean>>();
            for (int i = 0; i < nodes().size() * 3; i++) {
                var node = i % nodes().size();
                var claim = record(round, "node-" + node, i, 0);
                claims.add(claim);
                answers.add(nodes().get(node).replaceTerm(present, claim));
            }
            var winners = new ArrayList<TermRecord>();
            for (int i = 0; i < claims.size(); i++) {
                if (await(answers.get(i))) {
                    winners.add(claims.get(i));
                }
            }
            assertEquals(1, winners.size(), "winners of round " + round + ": " + winners);
            present = winners.get(0);
            for (var node : nodes()) {
                assertEquals(present, await(node.readTerm()));
            }
        }
    }

    protected static TermRecord record(long term, String owner, long incarnation, long beat) {
        return new TermRecord(term, new NodeId(owner), incarnation, beat);
    }

    protected static <T> T await(Future<T> future) {
        try {
            return future.await(10, TimeUnit.SECONDS);
        } catch (java.util.concurrent.TimeoutException e) {
            throw new AssertionError("no answer within 10 s", e);
        }
    }

    private StateStore first() {
        return nodes().get(0);
    }

    private StateStore last() {
        return nodes().get(nodes().size() - 1);
    }
}
