package io.shardbus.core.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.coordinator.EndedReign;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EndedTermsTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");

    private final EndedTerms terms = new EndedTerms();

    private Set<String> abdicated(NodeId by, TermId ended, Map<String, Set<NodeId>> leaseHolders) {
        return terms.abdicated(by, ended, leaseHolders, 2);
    }

    private static TermId term(long number) {
        return new TermId(number, 1);
    }

    @Test
    void anAbdicationSaysWhichRegionsMayHoldLeases() {
        abdicated(A, term(7), Map.of("t", Set.of(A)));
        assertEquals(Map.of("t", new EndedReign(Set.of(A))), terms.of(term(7), A));
        assertEquals(Map.of(), terms.of(term(8), A));
    }

    @Test
    @DisplayName("The ended terms believe only the owner that has released the record of the term")
    void onlyTheOwnerThatReleasedIsBelieved() {
        abdicated(B, term(7), Map.of("t", Set.of()));
        assertEquals(Map.of(), terms.of(term(7), A));
        abdicated(A, term(7), Map.of("t", Set.of(A)));
        assertEquals(Map.of("t", new EndedReign(Set.of(A))), terms.of(term(7), A));
        assertEquals(Map.of(), terms.of(term(7), null), "its record is not released");
    }

    @Test
    @DisplayName("The ended terms of this node are not replaced by what others say of them")
    void ownTermsAreNotToldByOthers() {
        terms.remember(term(7), Map.of("t", new EndedReign(Set.of(A, B))));
        abdicated(B, term(7), Map.of("t", Set.of()));
        assertEquals(Map.of("t", new EndedReign(Set.of(A, B))), terms.of(term(7), B));
    }

    @Test
    @DisplayName("The ended terms keep each holder that one of two statements of a node names")
    void aSecondStatementCanOnlyAddHolders() {
        abdicated(A, term(7), Map.of("t", Set.of(), "u", Set.of()));
        abdicated(A, term(7), Map.of("t", Set.of(B)));
        assertEquals(Map.of("t", new EndedReign(Set.of(B))), terms.of(term(7), A));
        abdicated(A, term(7), Map.of("t", Set.of(), "u", Set.of()));
        assertEquals(Map.of("t", new EndedReign(Set.of(B))), terms.of(term(7), A));
    }

    @Test
    @DisplayName("The ended terms leave out a type of which a node names ever more holders, and say so")
    void ofMoreHoldersThanNodesNothingIsKnown() {
        int most = 2 + EndedTerms.MOST_DEPARTED;
        for (int i = 1; i <= most; i++) {
            assertEquals(Set.of(), abdicated(A, term(7), Map.of("t", Set.of(new NodeId("n" + i)), "u", Set.of(A))));
        }
        EndedReign known = Objects.requireNonNull(terms.of(term(7), A).get("t"));
        assertEquals(most, known.holders().size());
        assertEquals(Set.of("t"), abdicated(A, term(7), Map.of("t", Set.of(B), "u", Set.of(A))));
        assertEquals(Map.of("u", new EndedReign(Set.of(A))), terms.of(term(7), A));
        abdicated(A, term(7), Map.of("t", Set.of(B), "u", Set.of(A)));
        assertEquals(Set.of("u"), terms.of(term(7), A).keySet(), "it cannot say anew who they are");
    }

    @Test
    void momentsOfADoubtfulClockAreForgotten() {
        terms.remember(term(7), Map.of("open", new EndedReign(Set.of(A)), "waiting", new EndedReign(Set.of(A), 500)));
        terms.forgetMoments();
        assertEquals(Set.of("open"), terms.of(term(7), null).keySet(), "of its own terms the node needs no record");
    }

    @Test
    void theEarliestTermsAreForgotten() {
        for (int number = 1; number <= 17; number++) {
            abdicated(A, term(number), Map.of("t", Set.of(A)));
        }
        assertEquals(Map.of(), terms.of(term(1), A));
        assertEquals(Set.of("t"), terms.of(term(2), A).keySet());
    }

    @Test
    @DisplayName("The ended terms keep the others when one of them is told again")
    void oneThatIsToldAgainDisplacesNoOther() {
        for (int number = 1; number <= 16; number++) {
            abdicated(A, term(number), Map.of("t", Set.of(A)));
        }
        for (int i = 0; i < 16; i++) {
            abdicated(A, term(16), Map.of("t", Set.of(A)));
        }
        assertEquals(Set.of("t"), terms.of(term(1), A).keySet());
    }
}
