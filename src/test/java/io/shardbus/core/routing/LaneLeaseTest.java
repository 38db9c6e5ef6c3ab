package io.shardbus.core.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.StopReason;
import java.util.AbstractList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What a lane does under a lease that ends, is extended or lapses while the lane is in the middle of a burst. Lane a
 * sends, b is the home.
 */
class LaneLeaseTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final FencingToken T1 = new FencingToken(7, 1, 1);
    private static final FencingToken T2 = new FencingToken(7, 1, 2);
    private static final long END = 10_000;

    private final LaneFixture a = new LaneFixture(A, 10);
    private final LaneFixture b = new LaneFixture(B, 10);
    private long now;

    @BeforeEach
    void homeAtB() {
        b.extendLease(END, now);
        b.lane.hostShard(1, T1, now);
        List<ShardHome> homes = List.of(new ShardHome(1, T1, T1, B, 1));
        a.lane.showHomes(homes, now);
        b.lane.showHomes(homes, now);
    }

    private void tell(LaneFixture from, String entity, Object message) {
        from.lane.send(1, entity, message, null, now);
    }

    private void exchange() {
        for (int i = 0; i < 10; i++) {
            a.flush(now);
            b.flush(now);
            a.framesTo(B).forEach(frame -> b.receive(A, frame, now));
            b.framesTo(A).forEach(frame -> a.receive(B, frame, now));
        }
    }

    /** The process is frozen while the next message is handled, and wakes up when the lease has ended. */
    private void freezeInTheNextMessage() {
        b.entity.meanwhile = () -> b.clock = END;
    }

    @Test
    void theRestOfAFrameGoesBackAfterAFreezeInItsFirstMessage() {
        tell(a, "e", "there");
        tell(a, "f", "there");
        exchange();
        b.handled.clear();
        tell(a, "e", 1);
        tell(a, "e", 2);
        tell(a, "f", 3);
        freezeInTheNextMessage();
        exchange();
        assertEquals(List.of(1), b.handled);
        assertEquals(2, a.lane.buffered(), "they can go to the next home");
        assertEquals(1, b.lapses);
    }

    /** What handles no message takes time, too: a message that joins a mailbox, an item that is not known. */
    @Test
    @DisplayName("A lane begins no message of a frame after a freeze behind an item that began nothing")
    void aFrameIsNotGoneOnWithAfterAFreezeBetweenItsItems() {
        tell(a, "e", "there");
        tell(a, "f", "there");
        exchange();
        b.handled.clear();
        b.entity.holding = true;
        tell(b, "e", 1);
        b.flush(now);
        tell(a, "e", 2);
        tell(a, "f", 3);
        a.flush(now);
        List<LaneFixture.Frame> frames = a.framesTo(B);
        assertEquals(1, frames.size());
        List<FrameItem> items = frames.get(0).items();
        List<FrameItem> frozenBeforeTheLast = new AbstractList<>() {
            @Override
            public FrameItem get(int index) {
                b.clock = index == items.size() - 1 ? END : b.clock;
                return items.get(index);
            }

            @Override
            public int size() {
                return items.size();
            }
        };
        b.receive(A, new LaneFixture.Frame(frames.get(0).to(), frames.get(0).head(), frozenBeforeTheLast), now);
        assertEquals(List.of(1), b.handled, "what had begun");
    }

    @Test
    void theRestOfAMailboxWaitsForTheStopAfterAFreezeInItsFirstMessage() {
        b.entity.holdingStart = true;
        tell(b, "e", 1);
        tell(b, "e", 2);
        tell(b, "e", 3);
        freezeInTheNextMessage();
        b.entity.held.run();
        b.flush(now);
        assertEquals(List.of(1), b.handled);
        b.loseLease(END);
        assertEquals(List.of("2 NOT_IN_MAJORITY", "3 NOT_IN_MAJORITY"), b.deadLetters);
    }

    @Test
    void theNextEntityOfABurstDoesNotBeginAfterAFreezeInTheOneBefore() {
        tell(b, "e", "there");
        tell(b, "f", "there");
        b.flush(now);
        b.handled.clear();
        freezeInTheNextMessage();
        tell(b, "e", 1);
        tell(b, "f", 2);
        b.lane.deliverHere(1, "f", "a timer", now);
        b.flush(now);
        assertEquals(List.of(1), b.handled);
    }

    @Test
    void noInstanceStartsAfterAFreezeInTheMessageBefore() {
        tell(b, "e", "there");
        b.flush(now);
        b.handled.clear();
        freezeInTheNextMessage();
        tell(b, "e", 1);
        tell(b, "new", 2);
        b.flush(now);
        assertEquals(List.of(1), b.handled);
    }

    @Test
    void anAnswerOfTheFrozenMessageIsAnUnknownOutcome() {
        freezeInTheNextMessage();
        LaneFixture.Ask remote = a.ask(1, "remote", 100_000, now);
        exchange();
        assertEquals(FailureCode.OUTCOME_UNKNOWN, remote.code);
    }

    @Test
    void anAnswerThatIsReadyAfterTheLeaseIsAnUnknownOutcome() {
        b.entity.holding = true;
        LaneFixture.Ask local = b.ask(1, "local", 100_000, now);
        b.flush(now);
        now = END;
        b.lane.at(now);
        b.clock = now;
        b.entity.finish();
        assertEquals(FailureCode.OUTCOME_UNKNOWN, local.code);
    }

    @Test
    void aRefusalByTheEntityAfterTheLeaseIsAnUnknownOutcome() {
        b.entity.failing = true;
        freezeInTheNextMessage();
        LaneFixture.Ask local = b.ask(1, "local", 100_000, now);
        b.flush(now);
        assertEquals(FailureCode.OUTCOME_UNKNOWN, local.code);
    }

    @Test
    void anAnswerOfAShardThatHasAnotherHomeIsAnUnknownOutcome() {
        b.entity.holding = true;
        LaneFixture.Ask local = b.ask(1, "local", 100_000, now);
        b.flush(now);
        b.lane.dropShard(1, T1, now);
        b.entity.finish();
        assertEquals(FailureCode.OUTCOME_UNKNOWN, local.code);
    }

    @Test
    void anAnswerDuringAShutdownCountsWhileTheLeaseHolds() {
        b.entity.holding = true;
        LaneFixture.Ask local = b.ask(1, "local", 100_000, now);
        b.flush(now);
        b.lane.stopAll(StopReason.SHUTDOWN, now);
        b.entity.finish();
        assertEquals("answer to local", local.value);
    }

    @Test
    void anExtensionIsSeenInTheMiddleOfABurst() {
        freezeInTheNextMessage();
        b.entity.holdingStart = true;
        tell(b, "e", 1);
        tell(b, "e", 2);
        b.extendLease(2 * END, END - 1);
        b.entity.held.run();
        b.flush(now);
        assertEquals(List.of(1, 2), b.handled);
        assertEquals(0, b.lapses);
    }

    @Test
    void aLapseIsSeenBeforeItsStopComesAndTheNextLeaseIsNotForWhatWasThere() {
        b.lease = b.lease.lapsed();
        b.extendLease(3 * END, now);
        tell(b, "e", 1);
        b.flush(now);
        assertEquals(List.of(), b.handled);
        assertEquals(0, b.lapses, "the control knows of it");
        b.lane.stopAll(StopReason.LEASE_LOST, now);
        b.lane.hostShard(1, T2, now);
        b.lane.showHomes(List.of(new ShardHome(1, T2, T2, B, 1)), now);
        b.flush(now);
        assertEquals(List.of(1), b.handled, "the stay after it has one");
    }

    @Test
    void whatBeganBeforeALapseIsNotAnsweredUnderTheNextLease() {
        b.entity.holding = true;
        LaneFixture.Ask local = b.ask(1, "local", 100_000, now);
        b.flush(now);
        b.loseLease(now);
        b.extendLease(3 * END, now);
        b.entity.finish();
        assertEquals(FailureCode.OUTCOME_UNKNOWN, local.code);
    }
}
