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
    private SplitCommand.ReadRecord asked = new SplitCommand.ReadRecord(0);
    private final SplitResolver resolver = new SplitResolver(
            new NodeId("E"), new KeepMajority("role3", TieBreak.NONE), new SplitTimes(2000, 1000, 2000, 40_000));

    @BeforeEach
    void stop() {
        view("A,B,C,D,E", true, false, 0);
        sighted("A", 5, 7, 0);
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
        commands.forEach(command -> {
            said.add(command.getClass().getSimpleName());
            asked = command instanceof SplitCommand.ReadRecord read ? read : asked;
        });
    }

    /** The answer to the last question. */
    private void read(String owner, long term, long beat, long now) {
        say(resolver.recordRead(asked, new TermRecord(term, new NodeId(owner), 1, beat), now));
    }

    private List<String> said() {
        List<String> words = List.copyOf(said);
        said.clear();
        return words;
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
    @DisplayName("it takes part again under a reign that it meets, also where it meets none of those that it had lost")
    void takesPartAgainUnderAReignThatOutlivedTheOthers() {
        view("D,E,F", true, true, 10_000);
        sighted("F", 9, 0, 10_100);
        sighted("F", 9, 1, 10_900);
        sighted("F", 9, 2, 11_700);
        assertEquals(List.of("Rejoin"), said);
        assertEquals(
                Set.of(new NodeId("A"), new NodeId("B"), new NodeId("C")),
                resolver.leftBehind(),
                "the caches are kept for none of these any more");
    }

    @Test
    @DisplayName(
            "it gives up the caches that it gets by meeting, until it has them no more, where none went on in them")
    void givesTheCachesUp() {
        view("B,C,D,E", true, true, 10_000);
        say(resolver.tick(12_999));
        assertEquals(List.of(), said());
        say(resolver.tick(13_000));
        assertEquals(List.of("ReadRecord"), said());
        read("A", 5, 7, 13_010);
        assertEquals(List.of("GiveUpCaches"), said());
        say(resolver.tick(16_000));
        read("A", 5, 8, 16_010);
        assertEquals(List.of("ReadRecord", "GiveUpCaches"), said(), "in vain, or by none before");
        view("B,C,D,E", false, false, 16_050);
        say(resolver.tick(60_000));
        assertEquals(List.of(), said());
        assertTrue(resolver.isStopped());
    }

    @Test
    @DisplayName(
            "it does not give up caches in which others have gone on since its loss, however late their next write is")
    void keepsTheCachesOfThoseWhoWentOn() {
        view("B,C,D,E", true, true, 10_000);
        say(resolver.tick(13_000));
        read("B", 9, 2, 13_010);
        assertEquals(List.of("ReadRecord"), said());
        say(resolver.tick(16_000));
        read("A", 5, 10, 16_010);
        assertEquals(List.of("ReadRecord"), said(), "the reign of before was confirmed three times");
        say(resolver.tick(19_000));
        read("B", 10, 1, 19_010);
        assertEquals(List.of("ReadRecord"), said(), "the next reign has few writes yet");
        assertTrue(resolver.isStopped());
    }

    @Test
    @DisplayName("it waits once for a reign that has just begun, and for the next one after a release by the members")
    void waitsForAReignThatBegins() {
        view("B,C,D,E", true, true, 10_000);
        say(resolver.tick(13_000));
        read("B", 9, 1, 13_010);
        say(resolver.tick(16_000));
        read("C", 10, 0, 16_010);
        assertEquals(List.of("ReadRecord", "ReadRecord"), said(), "a claim of another one");
        say(resolver.tick(19_000));
        read("C", 10, 0, 19_010);
        assertEquals(List.of("ReadRecord", "GiveUpCaches"), said(), "a claim and a write that were under way");
        for (int look = 0; look < 4; look++) {
            say(resolver.tick(22_000 + 3000 * look));
            read("C", 10, TermRecord.RELEASED, 22_010 + 3000 * look);
            assertEquals(List.of("ReadRecord"), said(), "look " + look);
        }
        say(resolver.tick(34_000));
        read("C", 10, TermRecord.RELEASED, 34_010);
        assertEquals(List.of("ReadRecord", "GiveUpCaches"), said());
    }

    @Test
    @DisplayName("newcomers that are lost again and again do not keep it from giving the caches up")
    void newcomersThatGoDoNotPostponeForEver() {
        view("B,C,D,E", true, true, 10_000);
        long now = 10_000;
        for (int pod = 0; pod < 4; pod++) {
            view("B,C,D,E,N" + pod, true, false, now + 2000);
            view("B,C,D,E", true, false, now + 2500);
            now += 25_000;
        }
        assertEquals(List.of(), said());
        say(resolver.tick(10_000 + 80_000));
        read("A", 5, 7, 90_010);
        assertEquals(List.of("ReadRecord", "GiveUpCaches"), said());
    }

    @Test
    @DisplayName(
            "what was written before a member was lost, or asked before a view, says nothing of those who are left")
    void whatWasWrittenBeforeALossDoesNotCount() {
        view("B,C,D,E", true, true, 10_000);
        sighted("B", 9, 8, 10_100);
        say(resolver.tick(13_000));
        view("C,D,E", true, false, 13_005);
        read("A", 5, 7, 13_010);
        assertEquals(List.of("ReadRecord"), said());
        say(resolver.tick(53_004));
        assertEquals(List.of(), said(), "others may be undecided until then");
        say(resolver.tick(53_005));
        read("B", 9, 8, 53_010);
        assertEquals(List.of("ReadRecord", "GiveUpCaches"), said());
    }

    @Test
    @DisplayName("caches that become available when other members have come since the merge are given up as well")
    void cachesComeAfterOthers() {
        view("B,D,E", false, true, 5000);
        view("B,C,D,E", true, false, 5050);
        say(resolver.tick(8050));
        read("A", 5, 7, 8060);
        assertEquals(List.of("ReadRecord", "GiveUpCaches"), said());
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
