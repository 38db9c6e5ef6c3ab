package io.shardbus.core.splitbrain;

import static io.shardbus.core.splitbrain.SplitScenes.members;
import static io.shardbus.core.splitbrain.SplitScenes.nodes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.splitbrain.SplitCommand.ReleaseArbiter;
import io.shardbus.model.NodeId;
import io.shardbus.model.SplitMember;
import io.shardbus.model.SplitSnapshot;
import io.shardbus.model.TermRecord;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One node's decisions in time. Its decision time is 2 s; "said" is what it wanted done, in words. */
class SplitResolverTest {
    private static final SplitTimes TIMES = new SplitTimes(2000, 1000, 2000, 40_000);
    private static final SplitStrategy MAJORITY = new KeepMajority("", TieBreak.NONE);
    private static final SplitStrategy OLDEST = new KeepOldest(true, "");

    private final SplitWords words = new SplitWords();
    private SplitResolver resolver;

    private void start(SplitStrategy strategy, SplitTimes times, String members) {
        resolver = new SplitResolver(new NodeId("Z"), strategy, times);
        view(members, true, 0);
        words.clear();
    }

    private void view(String members, boolean available, long now) {
        say(resolver.viewChanged(members(members), available, false, now));
    }

    private void merge(String members, boolean available, long now) {
        say(resolver.viewChanged(members(members), available, true, now));
    }

    private void tick(long now) {
        say(resolver.tick(now));
    }

    private void answer(long question, boolean granted, long now) {
        say(resolver.arbiterAnswered(words.asked(question), granted, now));
    }

    private void say(List<SplitCommand> commands) {
        commands.forEach(command -> command.accept(words));
    }

    @Test
    @DisplayName("SPLIT-46 SPLIT-48 nothing is decided before the decision time is over; until then all hold still")
    void decidesAfterTheDecisionTime() {
        start(MAJORITY, TIMES, "A,B,C");
        view("A,B", true, 1000);
        assertEquals(List.of("hold"), words.take());
        tick(2000);
        tick(2999);
        assertEquals(List.of(), words.take());
        assertTrue(resolver.isUndecided());
        tick(3000);
        assertEquals(List.of("go on without C"), words.take());
        assertFalse(resolver.isUndecided());
    }

    @Test
    @DisplayName("SPLIT-47 without a decision time the loss is decided at once, by every node for itself")
    void decidesAtOnce() {
        start(MAJORITY, new SplitTimes(0, 1000, 0, 40_000), "A,B,C");
        view("A,B", true, 10);
        assertEquals(List.of("hold", "go on without C"), words.take());
        start(MAJORITY, new SplitTimes(0, 1000, 0, 40_000), "A,B,C");
        view("C", false, 10);
        assertEquals(List.of("hold", "stop"), words.take());
    }

    @Test
    @DisplayName("SPLIT-49 only members that are not full yet are left: they stop")
    void joinersAloneStop() {
        start(MAJORITY, TIMES, "A,jB,jC");
        view("jB,jC", true, 0);
        tick(2000);
        assertEquals(List.of("hold", "stop and yield"), words.take());
    }

    @Test
    @DisplayName("SPLIT-50 a member that is back, or left in good order, before the time is over needs no decision")
    void backInTime() {
        start(MAJORITY, TIMES, "A,B,C");
        view("A,B", true, 0);
        merge("A,B,C", true, 1000);
        assertEquals(List.of("hold", "calm"), words.take());
        view("A,B", true, 1500);
        say(resolver.excused(new NodeId("C"), 1600));
        tick(9000);
        assertEquals(List.of("hold", "calm"), words.take());
    }

    @Test
    @DisplayName("SPLIT-50 a goodbye before the member goes makes its going no loss at all")
    void saidGoodbyeBefore() {
        start(MAJORITY, TIMES, "A,B");
        say(resolver.excused(new NodeId("B"), 0));
        view("A", true, 100);
        tick(9000);
        assertEquals(List.of(), words.take());
    }

    @Test
    @DisplayName("SPLIT-50 goodbyes do not lower a static quorum: of five that shrank to three in order, two stop")
    void goodbyesDoNotLowerAQuorum() {
        start(new StaticQuorum(3, ""), TIMES, "A,B,C,D,E");
        say(resolver.excused(new NodeId("D"), 0));
        say(resolver.excused(new NodeId("E"), 0));
        view("A,B,C", true, 100);
        tick(9000);
        assertEquals(List.of(), words.take(), "no member is lost");
        view("A,B", true, 10_000);
        tick(12_000);
        assertEquals(List.of("hold", "stop"), words.take(), "though two are the majority of the last three");
    }

    @Test
    @DisplayName("a lone survivor of two goes on when the other is proven to be dead, also after it has stopped")
    void provenDead() {
        start(new StoreMajority(), TIMES, "A,B");
        view("A", false, 0);
        tick(2000);
        assertEquals(List.of("hold", "stop"), words.take());
        say(resolver.excused(new NodeId("B"), 2500));
        assertTrue(resolver.isStopped(), "the caches are not on this side yet");
        view("A", true, 2600);
        assertEquals(List.of("rejoin"), words.take());
    }

    @Test
    @DisplayName("SPLIT-55 flapping: the lost change each second, with a limit of 1 s all stop after 3 s")
    void flapping() {
        start(MAJORITY, TIMES, "A,B,C,D,E");
        view("A,B,C,D", true, 0);
        view("A,B,C", true, 1000);
        view("A,B,C,D", true, 2000);
        assertEquals(List.of("hold"), words.take());
        view("A,B,C", true, 3000);
        assertEquals(List.of("stop and yield"), words.take());
    }

    @Test
    @DisplayName("SPLIT-55 flapping: changes each 0.5 s, with a limit of 0.5 s all stop by 2.8 s")
    void flappingFast() {
        start(MAJORITY, new SplitTimes(2000, 500, 0, 40_000), "A,B,C,D,E");
        for (long now = 0; now <= 2000; now += 500) {
            view(now % 1000 == 0 ? "A,B,C,D" : "A,B,C", true, now);
        }
        assertEquals(List.of("hold"), words.take());
        view("A,B,C", true, 2500);
        assertEquals(List.of("stop and yield"), words.take());
    }

    @Test
    @DisplayName("SPLIT-55 changes that end in time are decided as ever")
    void flappingThatEnds() {
        start(MAJORITY, TIMES, "A,B,C,D,E");
        view("A,B,C,D", true, 0);
        view("A,B,C", true, 1500);
        tick(3400);
        assertEquals(List.of("hold"), words.take());
        tick(3500);
        assertEquals(List.of("go on without D,E"), words.take());
    }

    @Test
    @DisplayName("SPLIT-56 calming down: no decision when all are back, then or later")
    void calmingDown() {
        start(MAJORITY, TIMES, "A,B,C,D,E");
        view("A,B,C,D", true, 0);
        view("A,B,C", true, 1000);
        view("A,B,C,D,E", true, 1500);
        tick(4500);
        assertEquals(List.of("hold", "calm"), words.take());
    }

    @Test
    @DisplayName("SPLIT-52 the one member too many is told once; a later cut stops all four")
    void tooManyForTheQuorum() {
        start(new StaticQuorum(2, ""), TIMES, "A,B,C");
        view("A,B,C,D", true, 100);
        view("A,B,C,D,F", true, 200);
        view("A,B,C,D", true, 300);
        List<String> said = words.take();
        assertEquals(1, said.stream().filter(word -> word.startsWith("warn")).count());
        assertTrue(said.get(0).contains("4 members") && said.get(0).contains("more than 3"), said.get(0));
        start(new StaticQuorum(2, ""), TIMES, "A,B,C,D");
        view("A,B", true, 0);
        tick(2000);
        assertEquals(List.of("hold", "stop"), words.take());
    }

    @Test
    @DisplayName(
            "SPLIT-57 lease-majority: granted, and the lost are left behind; the lease is given back after its time")
    void granted() {
        start(new LeaseMajority(""), TIMES, "A,B,C");
        view("A,C", true, 0);
        tick(2000);
        assertEquals(List.of("hold", "ask 1"), words.take());
        answer(1, true, 2100);
        assertEquals(List.of("go on without B"), words.take());
        for (long now = 10_000; now < 42_100; now += 1000) {
            tick(now);
        }
        assertEquals(List.of(), words.take());
        tick(42_100);
        tick(50_000);
        assertEquals(List.of("release C as of Z 1"), words.take());
    }

    @Test
    @DisplayName("SPLIT-43 lease-majority, E had lost F before the cut: the side that goes on does so without the other"
            + " side, F is out already")
    void whoWasLostBeforeIsNotLostAgain() {
        start(new LeaseMajority(""), new SplitTimes(2000, 1000, 2000, 5000), "A,B,C,D,lE,F");
        view("A,B,C,D,lE", true, 0);
        tick(2000);
        answer(1, true, 2100);
        assertEquals(List.of("hold", "ask 1", "go on without F"), words.take());
        for (long now = 3000; now < 10_000; now += 1000) {
            tick(now);
        }
        assertEquals(List.of("release E as of Z 1"), words.take());
        say(resolver.arbiterReleased(new ReleaseArbiter("E", "Z 1"), null, 10_000));
        view("A,B,C,D", true, 10_000);
        tick(12_000);
        answer(2, true, 12_100);
        assertEquals(List.of("hold", "ask 2", "go on without E"), words.take());

        start(new LeaseMajority(""), TIMES, "A,B,C,D,lE");
        view("lE", false, 10_000);
        tick(12_000);
        tick(14_000);
        assertEquals(List.of("hold", "ask 1"), words.take());
        answer(1, false, 14_100);
        assertEquals(List.of("stop"), words.take());
    }

    @Test
    @DisplayName("SPLIT-39 SPLIT-57 lease-majority: the minority asks 2 s later; refused, it stops")
    void refused() {
        start(new LeaseMajority(""), TIMES, "A,B,C");
        view("B", false, 0);
        tick(2000);
        tick(3900);
        assertEquals(List.of("hold"), words.take());
        tick(4000);
        assertEquals(List.of("ask 1"), words.take());
        answer(1, false, 4100);
        assertEquals(List.of("stop"), words.take());
        assertTrue(resolver.isStopped());
    }

    private void fail(long question, long now) {
        say(resolver.arbiterFailed(words.asked(question), now));
    }

    @Test
    @DisplayName("SPLIT-57 a node whose request to the arbiter fails asks again, and goes on if the lease is granted")
    void asksAgainAfterAFailure() {
        start(new LeaseMajority(""), TIMES, "A,B,C");
        view("A,C", true, 0);
        tick(2000);
        fail(1, 2100);
        assertEquals(List.of("hold", "ask 1"), words.take());
        tick(2500);
        assertEquals(List.of(), words.take(), "not at once");
        tick(2600);
        assertEquals(List.of("ask 2"), words.take());
        answer(2, true, 2700);
        assertEquals(List.of("go on without B"), words.take());
    }

    @Test
    @DisplayName("SPLIT-57 a node that is refused when it asks the arbiter again stops, and its side with it")
    void isRefusedAfterAFailure() {
        start(new LeaseMajority(""), TIMES, "A,B,C");
        view("B", false, 0);
        tick(2000);
        tick(4000);
        fail(1, 4100);
        tick(4600);
        answer(2, false, 4700);
        assertEquals(List.of("hold", "ask 1", "ask 2", "stop"), words.take());
    }

    @Test
    @DisplayName("SPLIT-57 a node without an answer of the arbiter stops 5 s after its first request, and leaves the"
            + " caches to the other nodes of its side")
    void stopsAloneWithoutAnAnswer() {
        start(new LeaseMajority(""), TIMES, "A,B,C,D,E");
        view("A,B,C", true, 0);
        tick(2000);
        for (long now = 2100; now < 7000; now += 100) {
            fail(words.questions(), now);
            tick(now);
        }
        List<String> requests = words.take();
        assertEquals(List.of("hold", "ask 1", "ask 2"), requests.subList(0, 3));
        assertEquals("stop", requests.get(requests.size() - 1), "the caches stay with the side");
        answer(words.questions(), true, 7000);
        assertTrue(resolver.isStopped(), "the other side may have given the lease back");
    }

    @Test
    @DisplayName("SPLIT-57 a node whose request hangs does not go on by an answer that comes too late")
    void ignoresAnAnswerThatComesTooLate() {
        start(new LeaseMajority(""), TIMES, "A,B,C");
        view("A,C", true, 0);
        tick(2000);
        tick(6900);
        answer(1, true, 7000);
        assertEquals(List.of("hold", "ask 1", "stop"), words.take());
    }

    @Test
    @DisplayName("SPLIT-57 a node that is alone on its side and has no answer of the arbiter gives up the caches, too")
    void yieldsAloneWithoutAnAnswer() {
        start(new LeaseMajority(""), TIMES, "A,B");
        view("B", true, 0);
        tick(2000);
        tick(4000);
        fail(1, 9000);
        assertEquals(List.of("hold", "ask 1", "stop and yield"), words.take());
    }

    @Test
    @DisplayName("SPLIT-57 the smaller side goes on against the caches' majority if the arbiter lets it")
    void overridesTheMajority() {
        start(new LeaseMajority(""), TIMES, "A,B");
        view("B", false, 0);
        tick(2000);
        tick(4000);
        answer(1, true, 4100);
        assertEquals(List.of("hold", "ask 1", "go on without A against the majority"), words.take());
        view("B", true, 4200);
        tick(9000);
        assertEquals(List.of(), words.take());
        view("B,F", true, 10_000);
        assertEquals(List.of(), words.take());
    }

    @Test
    @DisplayName("SPLIT-57 an answer to a question that no longer counts changes nothing")
    void lateAnswer() {
        start(new LeaseMajority(""), TIMES, "A,B,C");
        view("A,C", true, 0);
        tick(2000);
        merge("A,B,C", true, 2100);
        assertEquals(List.of("hold", "ask 1", "calm"), words.take());
        answer(1, true, 2200);
        assertEquals(List.of(), words.take());
        view("A", true, 3000);
        tick(5000);
        tick(7000);
        assertEquals(List.of("hold", "ask 2"), words.take());
        answer(1, false, 7100);
        assertEquals(List.of(), words.take());
    }

    /** A and C go on without B; then C is cut off from A, and stops. */
    private void leaveBehindAndStop() {
        start(new LeaseMajority(""), TIMES, "A,B,C");
        view("A,C", true, 0);
        tick(2000);
        answer(1, true, 2100);
        view("C", false, 3000);
        tick(5000);
        tick(7000);
        answer(2, false, 7100);
        assertEquals(List.of("hold", "ask 1", "go on without B", "hold", "ask 2", "stop"), words.take());
    }

    @Test
    @DisplayName("a side that stopped is not whole when those it lost are dead, while others that it"
            + " left behind before may live")
    void theDeadMayHaveGoneOnWithOthers() {
        leaveBehindAndStop();
        say(resolver.excused(new NodeId("A"), 8000));
        view("C", true, 8100);
        assertTrue(resolver.isStopped());
        say(resolver.excused(new NodeId("B"), 9000));
        assertFalse(resolver.isStopped());
    }

    @Test
    @DisplayName("a side that stopped is whole when one of those it lost is back and the other is"
            + " dead, with any left behind")
    void oneIsBackAndTheOtherIsDead() {
        start(MAJORITY, TIMES, "A,B,C,D");
        view("A,C,D", true, 0);
        tick(2000);
        view("C", true, 3000);
        tick(5000);
        assertTrue(resolver.isStopped());
        view("A,C", false, 8000);
        say(resolver.excused(new NodeId("D"), 8100));
        view("A,C", true, 8200);
        assertFalse(resolver.isStopped());
    }

    @Test
    @DisplayName("a side that stopped goes on when it meets who it lost, also if the caches allow it"
            + " later, with any left behind")
    void meetsTheOthersBeforeTheCachesAllowIt() {
        leaveBehindAndStop();
        merge("A,C", false, 8000);
        assertTrue(resolver.isStopped());
        view("A,C", true, 8100);
        assertFalse(resolver.isStopped());
    }

    @Test
    @DisplayName("a node that did not run for long does not ask: the other side may have had the"
            + " lease, and have given it back")
    void sleeperDoesNotAsk() {
        start(new LeaseMajority(""), TIMES, "A,B");
        tick(60_000);
        view("A", false, 60_100);
        tick(62_100);
        assertEquals(List.of("hold", "stop"), words.take());
        start(new LeaseMajority(""), TIMES, "A,B,C");
        tick(60_000);
        view("A,C", true, 60_100);
        tick(62_100);
        assertEquals(List.of("hold", "stop"), words.take(), "the caches stay with A, which may have the lease");
    }

    @Test
    @DisplayName("nor does one that slept while it waited to ask")
    void sleeperWhoWaitsDoesNotAsk() {
        start(new LeaseMajority(""), TIMES, "A,B");
        view("B", false, 100);
        tick(2100);
        tick(2200);
        assertEquals(List.of("hold"), words.take());
        tick(62_200);
        tick(62_300);
        assertEquals(List.of("stop"), words.take());
    }

    @Test
    @DisplayName("a node may sleep for as long as its question still comes in time, and not longer")
    void napsAreAsShortAsTheLeaseIs() {
        SplitTimes times = new SplitTimes(2000, 1000, 2000, 20_000);
        assertEquals(10_000, times.longestPause());
        assertEquals(5200, times.answeredWithin(14_800).longestPause());
        assertEquals(10_000, times.answeredWithin(8000).longestPause());
        start(new LeaseMajority(""), times.answeredWithin(14_800), "A,B");
        tick(5200);
        view("A", false, 5300);
        tick(7300);
        assertEquals(List.of("hold", "stop"), words.take());
    }

    @Test
    @DisplayName("keep-oldest goes on against the majority once; what it lost may be lost again later")
    void keepOldest() {
        start(OLDEST, TIMES, "A,B");
        view("B", false, 0);
        tick(2000);
        assertEquals(List.of("hold", "go on without A against the majority"), words.take());
        view("B", true, 2100);
        merge("A,B", true, 9000);
        assertEquals(List.of(), words.take());
        view("A", false, 20_000);
        tick(22_000);
        assertEquals(List.of("hold", "stop"), words.take());
    }

    @Test
    @DisplayName("keep-oldest: the majority of the caches yields to the oldest, and takes part again when they meet")
    void yields() {
        start(new KeepOldest(false, ""), TIMES, "A,B,C");
        view("A,B", true, 0);
        tick(2000);
        assertEquals(List.of("hold", "stop and yield"), words.take());
        view("A,B", false, 2100);
        merge("A,B", true, 5000);
        reignOf("A", 3, 5800);
        assertEquals(List.of("rejoin"), words.take());
    }

    @Test
    @DisplayName("a second loss before the caches are available is decided anew")
    void lossWhileGoingOn() {
        start(new KeepOldest(false, ""), TIMES, "A,B,C");
        view("B,C", false, 0);
        tick(2000);
        view("C", false, 2100);
        tick(4100);
        assertEquals(
                List.of("hold", "go on without A against the majority", "hold", "go on without B against the majority"),
                words.take());
    }

    /** So many writes of one reign's record are sighted. */
    private void reignOf(String owner, int writes, long now) {
        for (int beat = 0; beat < writes; beat++) {
            say(resolver.recordSighted(new TermRecord(9, new NodeId(owner), 1, beat), now));
        }
    }

    @Test
    @DisplayName("where the caches have the last word, a side that stopped goes on when they are back,"
            + " also without one of the lost")
    void cachesAreBack() {
        start(new StoreMajority(), TIMES, "A,B,C");
        view("C", false, 0);
        tick(2000);
        assertEquals(List.of("hold", "stop"), words.take());
        merge("B,C", true, 5000);
        tick(7000);
        assertEquals(List.of("go on without A", "rejoin"), words.take());
        assertFalse(resolver.isStopped());
    }

    @Test
    @DisplayName("a reign counts also where the caches become available a moment after this side has met the others")
    void cachesComeAfterTheMerge() {
        stopWithoutTheArbiter();
        merge("B,C", false, 5000);
        assertEquals(List.of(), words.take());
        view("B,C", true, 5050);
        reignOf("B", 3, 5900);
        assertEquals(List.of("rejoin"), words.take());
    }

    private void stopWithoutTheArbiter() {
        start(new LeaseMajority(""), TIMES, "A,B,C");
        view("C", false, 0);
        tick(2000);
        tick(4000);
        answer(1, false, 4100);
        assertEquals(List.of("hold", "ask 1", "stop"), words.take());
    }

    @Test
    @DisplayName("a quorum without the caches' majority is not enough: nothing overrides it")
    void quorumWithoutTheCaches() {
        start(new StaticQuorum(1, ""), TIMES, "A");
        view("A", false, 0);
        tick(2000);
        assertEquals(List.of("hold", "stop"), words.take());
        view("A", true, 3000);
        assertEquals(List.of("rejoin"), words.take());
    }

    @Test
    @DisplayName("SPLIT-45 who is known as a full member stays one when it is described no more; who"
            + " said goodbye counts no more")
    void whatIsKnownOfMembers() {
        start(MAJORITY, TIMES, "A,B,C");
        view("jA,jB,C", true, 100);
        view("jA,jB", true, 200);
        tick(2200);
        assertEquals(List.of("hold", "go on without C"), words.take());
        start(MAJORITY, TIMES, "A,B,C,D");
        view("A,B,xC", true, 100);
        tick(2100);
        assertEquals(List.of("hold", "go on without D"), words.take());
    }

    @Test
    @DisplayName("SPLIT-44 SPLIT-45 a new status replaces the entry, a removal shrinks it, under both orders")
    void bookkeeping() {
        SplitSnapshot whole = SplitScenes.split("A,B,lC | ");
        SplitSnapshot changed = whole.with(SplitScenes.member("lA"));
        assertEquals(3, changed.members().size());
        assertEquals(SplitMember.Status.LEAVING, changed.byAddress().get(0).status());
        assertEquals(SplitMember.Status.LEAVING, changed.members().get(2).status());
        assertEquals(4, changed.with(SplitScenes.member("G")).byAddress().size());
        assertEquals(nodes("A,B"), nodesOf(changed.without(new NodeId("C"))));
        assertEquals(
                List.of("C", "B", "A"),
                changed.members().stream().map(m -> m.node().value()).toList());
        assertEquals(2, Sides.counted(SplitScenes.split("A,lB,jC,xD,dE | "), "").ours());
        assertEquals(
                1, Sides.asTheOtherMaySeeIt(SplitScenes.split("A,lB,jC | "), "").theirs());
        assertEquals(
                3,
                Sides.asTheOtherMaySeeIt(SplitScenes.split(" | A,lB,jC,xD"), "").ours());
    }

    private static Set<NodeId> nodesOf(SplitSnapshot snapshot) {
        return snapshot.members().stream().map(SplitMember::node).collect(Collectors.toSet());
    }
}
