package io.shardbus.membership.detection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** "AB" is a link on which A hears nothing of B. */
class BrokenLinkTest {
    private static Set<String> without(String members, String... broken) {
        var links = Arrays.stream(broken)
                .map(link -> new BrokenLink<>(link.substring(0, 1), link.substring(1)))
                .toList();
        return BrokenLink.without(List.of(members.split("")), links);
    }

    private static Set<String> set(String members) {
        return Arrays.stream(members.split("")).collect(Collectors.toSet());
    }

    @Test
    void theYoungerOfTwoGoesWhoeverReports() {
        assertEquals(set("C"), without("ABC", "BC"));
        assertEquals(set("C"), without("ABC", "CB"));
        assertEquals(set("C"), without("ABC", "BC", "CB"));
    }

    @Test
    void whomSeveralDoNotHearGoesAlone() {
        assertEquals(set("B"), without("ABCDE", "CB", "DB"));
        assertEquals(set("C"), without("ABCDE", "CB", "CD", "BC"));
    }

    @Test
    void asManyGoAsAreNeeded() {
        assertEquals(set("CE"), without("ABCDE", "BC", "DE"));
    }

    @Test
    void nobodyGoesIfTheRestWereNoMajority() {
        assertEquals(Set.of(), without("ABCD", "BC", "CD", "DB"));
        assertEquals(Set.of(), without("AB", "BA"));
    }

    @Test
    void theFirstStays() {
        assertEquals(set("C"), without("ABC", "CA"));
    }

    @Test
    void onlyMembersCount() {
        assertEquals(Set.of(), without("ABC", "XB", "BX"));
        assertEquals(Set.of(), without("ABC"));
    }
}
