package io.shardbus.core.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ToRegion.BeginHandoff;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.StopReason;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Messages to a lane that this one has never heard. */
class FirstContactTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final FencingToken T1 = new FencingToken(7, 1, 1);
    private static final FencingToken T2 = new FencingToken(7, 1, 2);
    private static final int REPEAT_AFTER = 50;
    private static final int GIVE_UP_AFTER = 1_000;

    private final LaneFixture sender = new LaneFixture(A, 10);
    private final LaneFixture home = new LaneFixture(B, 10);
    private long now;

    @BeforeEach
    void theShardIsAtHome() {
        host(home, T1);
        sender.lane.send(1, "e", "once", null, now);
    }

    private void host(LaneFixture lane, FencingToken token) {
        lane.extendLease(10_000, now);
        lane.lane.hostShard(1, token, now);
        sender.lane.showHomes(List.of(new ShardHome(1, token, token, B, 1)), now);
    }

    private void thereTo(LaneFixture lane) {
        sender.flush(now);
        sender.framesTo(B).forEach(frame -> lane.receive(A, frame, now));
        lane.flush(now);
    }

    private void backFrom(LaneFixture lane) {
        lane.framesTo(A).forEach(frame -> sender.receive(B, frame, now));
    }

    private void exchange(LaneFixture lane) {
        for (int i = 0; i < 5; i++) {
            thereTo(lane);
            backFrom(lane);
        }
    }

    @Test
    void theMessagesFollowTheFirstAnswer() {
        sender.flush(now);
        List<FrameItem> first = sender.framesTo(B).stream()
                .peek(frame -> home.receive(A, frame, now))
                .flatMap(frame -> frame.items().stream())
                .toList();
        assertEquals(List.of(), first);
        home.flush(now);
        backFrom(home);
        thereTo(home);
        assertEquals(List.of("once"), home.handled);
    }

    @Test
    @DisplayName("a message does not run twice where a region takes the place of one that was never heard")
    void runsOnce() {
        thereTo(home);
        // what the first lane says is lost, and its region is started anew
        now += REPEAT_AFTER;
        LaneFixture next = new LaneFixture(B, 10, now);
        sender.lane.tick(now);
        exchange(next);
        host(next, T2);
        exchange(next);
        assertEquals(1, home.handled.size() + next.handled.size());
        assertEquals(List.of(), sender.deadLetters);
        assertEquals(0, sender.lane.buffered());
    }

    @Test
    void aPeerThatNeverAnswersLeavesNoOutcomeUnknown() {
        LaneFixture.Ask ask = sender.ask(1, "asked", 60_000, now);
        thereTo(home);
        now += GIVE_UP_AFTER;
        sender.lane.tick(now);
        sender.flush(now);
        assertEquals(List.of(), sender.deadLetters);
        assertNull(ask.code);
        assertEquals(2, sender.lane.buffered());
        home.framesTo(A);
        host(home, T1);
        exchange(home);
        assertEquals(List.of("once", "asked"), home.handled);
        assertEquals("answer to asked", ask.value);
    }

    @Test
    void aDrainForALaneThatNeverAnswersIsGivenUp() {
        LaneFixture drains = new LaneFixture(A, 10);
        drains.lane.beginHandoff(new BeginHandoff(1, T2, T1, B, 1, Set.of(A, B), false), false, now);
        drains.flush(now);
        assertEquals(1, drains.framesTo(B).size(), "one that asks for an answer");
        now += GIVE_UP_AFTER;
        drains.lane.tick(now);
        drains.flush(now);
        assertEquals(List.of(), drains.framesTo(B));
        drains.lane.stopAll(StopReason.SHUTDOWN, now);
        drains.lane.tick(now);
        drains.flush(now);
        assertEquals(1, drains.allStopped);
    }
}
