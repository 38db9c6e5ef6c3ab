package io.shardbus.core.splitbrain;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.splitbrain.SplitCommand.AskArbiter;
import io.shardbus.core.splitbrain.SplitCommand.ReleaseArbiter;
import io.shardbus.model.NodeId;
import io.shardbus.spi.SplitBrainArbiter;
import io.shardbus.store.InMemoryRecordStore;
import io.shardbus.store.StoreArbiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Who gives the arbiter's lease back, and when. The decision time is 2 s, a lease is kept for 40 s; of C, B, A the
 * oldest is C.
 */
class ArbiterLeaseTest {
    /** A request that fails is not repeated. */
    private static final SplitTimes TIMES = new SplitTimes(2000, 1000, 2000, 40_000).answering(1);

    private static final String LEASE = "cluster";

    private final SplitBrainArbiter arbiter =
            new StoreArbiter(new InMemoryRecordStore(), Duration.ofMinutes(5), () -> 0L);

    /** A node that carries out at once what it decides, unless the arbiter does not answer it. */
    private final class Decider {
        final SplitResolver resolver;
        final List<String> said = new ArrayList<>();
        boolean unanswered;
        boolean yields;
        long time;

        Decider(String name, String members) {
            this.resolver = new SplitResolver(new NodeId(name), new LeaseMajority(""), TIMES);
            sees(members, 0);
            said.clear();
        }

        void sees(String members, long now) {
            until(now);
            act(resolver.viewChanged(SplitScenes.members(members), true, false, now));
        }

        /** Runs on until then. */
        void until(long now) {
            for (; time < now; time += 1000) {
                act(resolver.tick(time));
            }
            time = now;
            act(resolver.tick(now));
        }

        private void act(List<SplitCommand> commands) {
            for (SplitCommand command : commands) {
                if (command instanceof AskArbiter asking) {
                    ask(asking);
                } else if (command instanceof ReleaseArbiter held) {
                    release(held);
                } else if (command instanceof SplitCommand.Stop stop) {
                    yields = stop.yield();
                }
            }
        }

        private void ask(AskArbiter asking) {
            boolean granted = await(arbiter.acquire(LEASE, asking.owner(), asking.stamp()));
            said.add((granted ? "has it as " : "refused as ") + asking.owner());
            act(unanswered ? resolver.arbiterFailed(asking, time) : resolver.arbiterAnswered(asking, granted, time));
        }

        private void release(ReleaseArbiter held) {
            String stamp = await(arbiter.release(LEASE, held.owner(), held.stamp()));
            said.add(stamp == null ? "gives it back" : "sees " + stamp);
            act(resolver.arbiterReleased(held, stamp, time));
        }

        List<String> said() {
            List<String> words = List.copyOf(said);
            said.clear();
            return words;
        }
    }

    private boolean isFree() {
        boolean granted = await(arbiter.acquire(LEASE, "stranger", "s"));
        if (granted) {
            await(arbiter.release(LEASE, "stranger", "s"));
        }
        return granted;
    }

    @Test
    @DisplayName("a cut-off node that has not noticed it gives nothing back that its former side has"
            + " taken again for that cut")
    void takenAgainForTheNextCut() {
        Decider c = new Decider("C", "C,B,A,D");
        Decider a = new Decider("A", "C,B,A,D");
        c.sees("C,B,A", 0);
        a.sees("C,B,A", 0);
        c.until(2000);
        a.until(2000);
        assertEquals(List.of("has it as C"), c.said());
        assertEquals(List.of("has it as C"), a.said());
        c.sees("C,B", 38_000);
        c.until(40_000);
        assertEquals(List.of("has it as C"), c.said());
        a.until(42_000);
        a.sees("A", 42_500);
        a.until(46_500);
        assertEquals(List.of("sees C 2", "refused as A"), a.said());
        assertTrue(a.resolver.isStopped());
        c.until(80_000);
        assertEquals(List.of("gives it back"), c.said());
        assertTrue(isFree());
    }

    @Test
    @DisplayName("the first member, which has not noticed the cut either, gives nothing back that"
            + " another has taken in its name")
    void takenAgainInTheNameOfAnother() {
        Decider c = new Decider("C", "C,B,A,D");
        Decider b = new Decider("B", "C,B,A,D");
        b.sees("C,B,A", 0);
        b.until(2000);
        c.sees("C,B,A", 100);
        c.until(2100);
        b.sees("C,B", 38_000);
        b.until(40_000);
        assertEquals(List.of("has it as C", "has it as C"), b.said());
        c.until(42_200);
        assertEquals(List.of("has it as C", "sees B 2"), c.said());
        assertFalse(isFree());
        b.until(80_000);
        assertEquals(List.of("gives it back"), b.said());
        c.until(90_000);
        assertEquals(List.of("gives it back"), c.said());
        assertTrue(isFree());
    }

    @Test
    @DisplayName("when the node that has taken it last is gone, the others give it back after they have"
            + " seen its stamp for as long")
    void theLastToTakeItIsGone() {
        Decider c = new Decider("C", "C,B,A,D");
        Decider b = new Decider("B", "C,B,A,D");
        c.sees("C,B,A", 0);
        c.until(2000);
        b.sees("C,B,A", 0);
        b.until(2000);
        c.until(81_000);
        assertEquals(List.of("has it as C", "sees B 1"), c.said());
        c.until(82_000);
        assertEquals(List.of("gives it back"), c.said());
        assertTrue(isFree());
        c.until(200_000);
        assertEquals(List.of(), c.said());
    }

    @Test
    @DisplayName("an answer that is no longer waited for keeps the lease: others of the side may go on by it")
    void anAnswerThatIsNoLongerWaitedFor() {
        SplitResolver resolver = new SplitResolver(new NodeId("B"), new LeaseMajority(""), TIMES);
        resolver.viewChanged(SplitScenes.members("C,B,A"), true, false, 0);
        resolver.viewChanged(SplitScenes.members("C,B"), true, false, 0);
        AskArbiter asking = (AskArbiter) resolver.tick(2000).get(0);
        resolver.viewChanged(SplitScenes.members("C,B,A"), true, false, 2100);
        assertEquals(List.of(), resolver.arbiterAnswered(asking, true, 2200));
        for (long now = 3000; now < 42_000; now += 1000) {
            assertEquals(List.of(), resolver.tick(now));
        }
        ReleaseArbiter held = new ReleaseArbiter("C", "B 1");
        assertEquals(List.of(held), resolver.tick(42_200));
        assertEquals(List.of(held), resolver.tick(82_200), "nothing was answered");
        assertEquals(List.of(), resolver.arbiterReleased(held, null, 82_300));
        assertEquals(List.of(), resolver.tick(200_000));
    }

    @Test
    @DisplayName(
            "a question that was not answered may have taken it: it is given back all the same, though the side stops")
    void unanswered() {
        Decider b = new Decider("B", "B,A");
        b.unanswered = true;
        b.sees("B", 0);
        b.until(4000);
        assertTrue(b.resolver.isStopped());
        assertFalse(isFree());
        b.until(84_000);
        assertEquals(List.of("has it as B", "sees B 1", "gives it back"), b.said());
        assertTrue(isFree());
    }

    @Test
    @DisplayName("a side goes on whose first member had no answer, if another member's request is granted; the other"
            + " side does not")
    void theFirstMemberHasNoAnswer() {
        Decider c = new Decider("C", "C,B,A");
        Decider b = new Decider("B", "C,B,A");
        Decider a = new Decider("A", "C,B,A");
        c.unanswered = true;
        c.sees("C,B", 0);
        b.sees("C,B", 0);
        a.sees("A", 0);
        c.until(2000);
        b.until(2000);
        assertTrue(c.resolver.isStopped());
        assertFalse(c.yields, "B needs the caches to go on");
        assertFalse(b.resolver.isStopped());
        a.until(4000);
        assertEquals(List.of("refused as A"), a.said());
        assertTrue(a.resolver.isStopped());
    }

    @Test
    @DisplayName("of two nodes the one that had no answer gives back what it may have taken when it leaves")
    void unansweredAsOneOfTwo() {
        Decider b = new Decider("B", "B,A");
        b.unanswered = true;
        b.sees("B", 0);
        b.until(4000);
        assertEquals(List.of(new ReleaseArbiter("B", "B 1")), b.resolver.ownOnly());
        b.sees("B,A", 5000);
        b.sees("B", 6000);
        b.until(10_000);
        assertEquals(
                Set.of(new ReleaseArbiter("B", "B 1"), new ReleaseArbiter("B", "B 2")),
                Set.copyOf(b.resolver.ownOnly()),
                "the last question may not have taken hold");
        b.unanswered = false;
        b.sees("B,A", 11_000);
        b.sees("B", 12_000);
        b.until(16_000);
        assertEquals(List.of(new ReleaseArbiter("B", "B 3")), b.resolver.ownOnly());
    }

    @Test
    @DisplayName("a node that leaves gives back only what no other can go on by: it was one of two when it"
            + " asked, and at no time before")
    void leasesThatNoOtherGoesOnBy() {
        Decider c = new Decider("C", "C,A");
        c.sees("C", 0);
        c.until(4000);
        assertEquals(List.of(new ReleaseArbiter("C", "C 1")), c.resolver.ownOnly());
        c.sees("C,B", 5000);
        c.sees("C", 6000);
        c.until(10_000);
        assertEquals(List.of(new ReleaseArbiter("C", "C 2")), c.resolver.ownOnly());
        c.sees("C,B,D", 11_000);
        c.sees("C,B", 12_000);
        c.until(14_000);
        assertEquals(List.of(), c.resolver.ownOnly(), "B may have asked too");
        c.sees("C", 15_000);
        c.until(19_000);
        assertEquals(List.of("has it as C", "has it as C", "has it as C", "has it as C"), c.said());
        assertEquals(List.of(), c.resolver.ownOnly(), "B may not have noticed the last cut");
        c.until(59_000);
        assertEquals(List.of("gives it back"), c.said());
        c.sees("C,A", 60_000);
        c.sees("C", 61_000);
        c.until(65_000);
        assertEquals(List.of(new ReleaseArbiter("C", "C 5")), c.resolver.ownOnly());
    }

    @Test
    @DisplayName("the answer to a release that has been overtaken by a new taking is about the one before")
    void overtakenByANewTaking() {
        LeaseStamps stamps = new LeaseStamps(40_000);
        stamps.granted(new AskArbiter(1, "C", "B 1", true), 0);
        ReleaseArbiter first = stamps.due(40_000).get(0);
        stamps.granted(new AskArbiter(2, "C", "B 2", true), 40_100);
        stamps.answered(first, null, 40_200);
        assertEquals(List.of(), stamps.due(80_000));
        assertEquals(List.of(new ReleaseArbiter("C", "B 2")), stamps.due(80_100));
    }
}
