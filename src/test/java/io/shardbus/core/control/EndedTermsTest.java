package io.shardbus.core.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.coordinator.EndedReign;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EndedTermsTest {
    private static final NodeId A = new NodeId("a");

    private final EndedTerms terms = new EndedTerms();

    private static TermId term(long number) {
        return new TermId(number, 1);
    }

    @Test
    void anAbdicationSaysWhichRegionsMayHoldLeases() {
        terms.abdicated(term(7), Map.of("t", Set.of(A)));
        assertEquals(Map.of("t", new EndedReign(Set.of(A))), terms.of(term(7)));
        assertEquals(Map.of(), terms.of(term(8)));
    }

    @Test
    void momentsOfADoubtfulClockAreForgotten() {
        terms.remember(term(7), Map.of("open", new EndedReign(Set.of(A)), "waiting", new EndedReign(Set.of(A), 500)));
        terms.forgetMoments();
        assertEquals(Set.of("open"), terms.of(term(7)).keySet());
    }

    @Test
    void theEarliestTermsAreForgotten() {
        for (int number = 1; number <= 17; number++) {
            terms.abdicated(term(number), Map.of("t", Set.of(A)));
        }
        assertEquals(Map.of(), terms.of(term(1)));
        assertEquals(Set.of("t"), terms.of(term(2)).keySet());
    }

    @Test
    @DisplayName("The ended terms keep the others when one of them is told again")
    void oneThatIsToldAgainDisplacesNoOther() {
        for (int number = 1; number <= 16; number++) {
            terms.abdicated(term(number), Map.of("t", Set.of(A)));
        }
        for (int i = 0; i < 16; i++) {
            terms.abdicated(term(16), Map.of("t", Set.of(A)));
        }
        assertEquals(Set.of("t"), terms.of(term(1)).keySet());
    }
}
