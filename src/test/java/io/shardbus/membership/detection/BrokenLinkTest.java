package io.shardbus.membership.detection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** "A>B" is A's report that it hears nothing of B, "A-B" a report of both. */
class BrokenLinkTest {
    private static Set<String> without(String members, String... reports) {
        var links = Arrays.stream(reports)
                .flatMap(report -> {
                    var link = new BrokenLink<>(report.substring(0, 1), report.substring(2));
                    return report.charAt(1) == '-' ? List.of(link, link.reverse()).stream() : List.of(link).stream();
                })
                .collect(Collectors.toSet());
        return BrokenLink.without(List.of(members.split("")), links);
    }

    private static Set<String> set(String members) {
        return Arrays.stream(members.split("")).collect(Collectors.toSet());
    }

    @Test
    void theYoungerOfTwoGoes() {
        assertEquals(set("C"), without("ABC", "B-C"));
        assertEquals(set("C"), without("ABC", "C-B"));
    }

    @Test
    void noMemberLeavesOnTheWordOfOneEnd() {
        assertEquals(Set.of(), without("ABC", "B>C"));
        assertEquals(Set.of(), without("ABC", "C>B"));
        assertEquals(Set.of(), without("ABCDE", "B>C", "B>D", "B>E"));
        assertEquals(Set.of(), without("ABCDE", "C>B", "D>B", "E>B"));
    }

    @Test
    void whoHasSeveralDeadLinksGoesAlone() {
        assertEquals(set("B"), without("ABCDE", "C-B", "D-B"));
        assertEquals(set("C"), without("ABCDE", "B-C", "C-D", "C-E"));
    }

    @Test
    void ofTwoEndsTheOneThatSaysMoreOrOfWhichMoreIsSaidGoes() {
        assertEquals(set("B"), without("ABCDE", "B-C", "B>D", "B>E"));
        assertEquals(set("B"), without("ABCDE", "B-C", "D>B"));
    }

    @Test
    void asManyGoAsAreNeeded() {
        assertEquals(set("CE"), without("ABCDE", "B-C", "D-E"));
    }

    @Test
    void noMemberLeavesIfTheRestWereNoMajority() {
        assertEquals(Set.of(), without("ABCD", "B-C", "C-D", "D-B"));
        assertEquals(Set.of(), without("AB", "B-A"));
    }

    @Test
    void theFirstStays() {
        assertEquals(set("C"), without("ABC", "C-A"));
    }

    @Test
    void onlyMembersCount() {
        assertEquals(Set.of(), without("ABC", "X-B"));
        assertEquals(set("C"), without("ABC", "B-C", "X>B", "Y>B"));
        assertEquals(Set.of(), without("ABC"));
    }
}
