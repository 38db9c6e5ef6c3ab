package io.shardbus.core.splitbrain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.NodeId;
import io.shardbus.model.SafetyOptions;
import io.shardbus.model.SplitMember;
import io.shardbus.model.SplitMember.Status;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A side that stopped goes on when the caches allow it, without a restart, also if some of the lost never return. */
class CachesDecideTest {
    private static final NodeId X = new NodeId("X");

    private final SplitResolver resolver =
            new SplitResolver(new NodeId("A"), new StoreMajority(), new SplitTimes(2000, 1000, 2000, 40_000));
    private final List<String> said = new ArrayList<>();

    @BeforeEach
    void start() {
        view("A,B,C,D,X", true, 0);
    }

    private void view(String members, boolean available, long now) {
        say(resolver.viewChanged(
                Arrays.stream(members.split(","))
                        .map(name -> new SplitMember(new NodeId(name), Set.of(), Status.UP, SafetyOptions.NONE))
                        .toList(),
                available,
                false,
                now));
    }

    private void tick(long now) {
        say(resolver.tick(now));
    }

    private void excuse(String node, long now) {
        say(resolver.excused(new NodeId(node), now));
    }

    private void say(List<SplitCommand> commands) {
        commands.forEach(command -> said.add(command.getClass().getSimpleName()));
    }

    private List<String> said() {
        List<String> words = List.copyOf(said);
        said.clear();
        return words;
    }

    @Test
    @DisplayName("members that came and went for too long stop the majority until they have settled, and not for good")
    void goesOnWhenTheViewHasSettled() {
        view("A,B,C,D", true, 0);
        view("A,B,C", true, 1500);
        view("A,B,C,D", true, 2900);
        assertEquals(List.of("Hold"), said());
        view("A,B,C", true, 3100);
        assertEquals(List.of("Stop"), said());
        tick(5099);
        assertTrue(resolver.isStopped());
        tick(5100);
        assertEquals(List.of("GoOn", "Rejoin"), said());
        assertFalse(resolver.isStopped());
    }

    @Test
    @DisplayName("it decides when those that it had left behind are dead, too, though one of the lost is missing still")
    void goesOnWhenThoseLeftBehindAreDead() {
        view("A,B,C,D", true, 10);
        tick(2010);
        assertEquals(Set.of(X), resolver.leftBehind());
        view("A,B", false, 10_000);
        tick(12_000);
        excuse("C", 12_100);
        view("A,B", true, 12_200);
        assertEquals(List.of("Hold", "GoOn", "Hold", "Stop"), said());
        tick(20_000);
        assertEquals(List.of(), said(), "C may have gone on with X");
        excuse("X", 20_000);
        tick(22_000);
        assertEquals(List.of("GoOn", "Rejoin"), said());
    }

    @Test
    @DisplayName("a loss just before the proofs that all lost ones are dead does not make it decide: they may have gone"
            + " on with those left behind")
    void aDecisionThatWasDueWaitsForThoseLeftBehind() {
        view("A,B,C,D", true, 10);
        tick(2010);
        view("A,B", false, 10_000);
        tick(12_000);
        said.clear();
        view("A", false, 13_000);
        excuse("B", 13_100);
        excuse("C", 13_100);
        excuse("D", 13_100);
        view("A", true, 13_200);
        tick(20_000);
        assertEquals(List.of(), said());
        excuse("X", 20_100);
        assertEquals(List.of("Rejoin"), said());
    }
}
