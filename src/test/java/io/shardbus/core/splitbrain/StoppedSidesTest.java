package io.shardbus.core.splitbrain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.NodeId;
import io.shardbus.model.SafetyOptions;
import io.shardbus.model.SplitMember;
import io.shardbus.model.SplitMember.Status;
import io.shardbus.model.TermRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A side of two of five nodes that stopped, where a minority may go on, meets others. */
class StoppedSidesTest {
    private final List<String> said = new ArrayList<>();
    private final SplitResolver resolver = new SplitResolver(
            new NodeId("E"), new KeepMajority("role3", TieBreak.NONE), new SplitTimes(2000, 1000, 2000, 40_000));

    @BeforeEach
    void stop() {
        view("A,B,C,D,E", true, false, 0);
        said.clear();
        view("D,E", false, false, 0);
        say(resolver.tick(2000));
        assertEquals(List.of("Hold", "Stop"), said);
        said.clear();
    }

    private void view(String members, boolean available, boolean merged, long now) {
        List<SplitMember> present = Arrays.stream(members.split(","))
                .map(name -> new SplitMember(
                        new NodeId(name), name.equals("D") ? Set.of() : Set.of("role3"), Status.UP, SafetyOptions.NONE))
                .toList();
        say(resolver.viewChanged(present, available, merged, now));
    }

    private void say(List<SplitCommand> commands) {
        commands.forEach(command -> said.add(command.getClass().getSimpleName()));
    }

    private void sighted(String owner, long term, long beat, long now) {
        say(resolver.recordSighted(new TermRecord(term, new NodeId(owner), 1, beat), now));
    }

    @Test
    @DisplayName(
            "it does not go on by its own count when it meets another that stopped, but at the third write of a reign")
    void takesPartAgain() {
        view("B,D,E", false, true, 5000);
        say(resolver.tick(9000));
        assertEquals(List.of(), said);
        view("B,C,D,E", true, true, 10_000);
        sighted("B", 9, 0, 10_100);
        sighted("B", 9, 1, 10_900);
        assertEquals(List.of(), said);
        sighted("B", 9, 2, 11_700);
        assertEquals(List.of("Rejoin"), said);
        assertEquals(Set.of(new NodeId("A")), resolver.leftBehind(), "it may go on with others, and is awaited");
    }

    @Test
    @DisplayName("it gives up the caches that it gets by meeting, once, unless a reign goes on in them")
    void givesTheCachesUp() {
        view("B,C,D,E", true, true, 10_000);
        sighted("B", 9, 0, 10_100);
        sighted("B", 9, 1, 10_900);
        say(resolver.tick(12_999));
        assertEquals(List.of(), said);
        say(resolver.tick(13_000));
        assertEquals(List.of("GiveUpCaches"), said);
        view("B,C,D,E", false, false, 13_050);
        say(resolver.tick(60_000));
        assertEquals(List.of("GiveUpCaches"), said);
        assertTrue(resolver.isStopped());
    }

    @Test
    @DisplayName("writes of two reigns, of a reign elsewhere, or from before the meeting, prove none that goes on here")
    void whatProvesNoReign() {
        sighted("B", 9, 0, 9_000);
        sighted("B", 9, 1, 9_800);
        view("B,C,D,E", true, true, 10_000);
        sighted("B", 7, 8, 10_100);
        sighted("B", 7, 8, 10_200);
        sighted("C", 8, 0, 10_300);
        sighted("C", 8, 1, 10_400);
        for (int beat = 0; beat < 4; beat++) {
            sighted("A", 10, beat, 11_000);
        }
        assertEquals(List.of(), said);
        assertTrue(resolver.isStopped());
    }
}
