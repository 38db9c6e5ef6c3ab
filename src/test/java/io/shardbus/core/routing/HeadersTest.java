package io.shardbus.core.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.FrameHead;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.ItemHeaders;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ToRegion.BeginHandoff;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What travels beside a message is with it wherever it waits, goes back and arrives. */
class HeadersTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final NodeId C = new NodeId("c");
    private static final FencingToken T1 = new FencingToken(7, 1, 1);
    private static final FencingToken V2 = new FencingToken(7, 1, 2);
    private static final FencingToken T3 = new FencingToken(7, 1, 3);
    private static final ItemHeaders ONE = new ItemHeaders(Map.of("traceparent", "00-1-2-01"), 900, "c-1");
    private static final ItemHeaders TWO = new ItemHeaders(Map.of(), ItemHeaders.NO_DEADLINE, "c-2");

    private final LaneFixture a = new LaneFixture(A, 10);
    private final LaneFixture b = new LaneFixture(B, 10);
    private final LaneFixture c = new LaneFixture(C, 10);
    private long now;

    private void send(String message, ItemHeaders headers) {
        a.lane.send(1, "e", message, null, headers, now);
    }

    private void host(LaneFixture at, FencingToken token) {
        at.extendLease(10_000, now);
        at.lane.hostShard(1, token, now);
    }

    private void show(FencingToken version, FencingToken token, NodeId home) {
        a.lane.showHomes(List.of(new ShardHome(1, version, token, home, 1)), now);
    }

    private void exchange() {
        for (int i = 0; i < 10; i++) {
            for (LaneFixture each : List.of(a, b, c)) {
                each.flush(now);
            }
            a.framesTo(B).forEach(frame -> b.receive(A, frame, now));
            a.framesTo(C).forEach(frame -> c.receive(A, frame, now));
            b.framesTo(A).forEach(frame -> a.receive(B, frame, now));
            c.framesTo(A).forEach(frame -> a.receive(C, frame, now));
        }
    }

    @Test
    void throughTheBufferToALocalAndToARemoteHome() {
        send("waits", ONE);
        exchange();
        host(b, T1);
        show(T1, T1, B);
        send("goes", TWO);
        send("plain", ItemHeaders.NONE);
        exchange();
        assertEquals(List.of("waits", "goes", "plain"), b.handled);
        assertEquals(List.of(ONE, TWO, ItemHeaders.NONE), b.headers);
        host(a, T3);
        show(T3, T3, A);
        send("local", ONE);
        exchange();
        assertEquals(List.of(ONE), a.headers);
    }

    /** B has not heard of the shard: what is sent there goes back, unexecuted, and on to C. */
    @Test
    void throughABounceToAnotherHome() {
        show(T1, T1, B);
        send("first", ONE);
        send("second", TWO);
        exchange();
        assertEquals(List.of(), b.handled);
        host(c, T3);
        now = 200;
        a.lane.tick(now);
        show(T3, T3, C);
        exchange();
        assertEquals(List.of("first", "second"), c.handled);
        assertEquals(List.of(ONE, TWO), c.headers);
    }

    @Test
    void throughAMoveOfTheShard() {
        host(b, T1);
        show(T1, T1, B);
        send("before", ONE);
        exchange();
        BeginHandoff begin = new BeginHandoff(1, V2, T1, B, 1, Set.of(A, B), false);
        a.lane.beginHandoff(begin, true, now);
        send("meanwhile", TWO);
        b.lane.beginHandoff(begin, true, now);
        exchange();
        assertEquals(List.of(1), b.stopped);
        host(c, T3);
        show(T3, T3, C);
        exchange();
        assertEquals(List.of(ONE), b.headers);
        assertEquals(List.of("meanwhile"), c.handled);
        assertEquals(List.of(TWO), c.headers);
    }

    @Test
    void besideAnAnswerAndBesideAFailure() {
        host(b, T1);
        show(T1, T1, B);
        b.entity.answerHeaders = TWO;
        LaneFixture.Ask good = a.ask(1, "hello", 1_000, now);
        exchange();
        b.entity.failing = true;
        LaneFixture.Ask bad = a.ask(1, "bad", 1_000, now);
        exchange();
        assertEquals("answer to hello", good.value);
        assertEquals(TWO, good.headers);
        assertEquals(FailureCode.ENTITY_FAILED, bad.code);
        assertEquals(TWO, bad.headers);
        host(a, T3);
        show(T3, T3, A);
        a.entity.answerHeaders = ONE;
        LaneFixture.Ask local = a.ask(1, "local", 1_000, now);
        exchange();
        assertEquals(ONE, local.headers);
    }

    private void receive(FrameItem item) {
        FrameHead head = new FrameHead(1, 1, 0, FrameHead.Answer.NOTHING);
        a.receive(B, new LaneFixture.Frame(new PeerLane(A, 0), head, List.of(item)), now);
        a.flush(now);
    }

    /** An item of a later build: who waits for it hears at once that it is not understood. */
    @Test
    void anItemThatIsNotKnownFailsTheAskThatIsInIt() {
        receive(new FrameItem.Unknown(30, 55, false));
        FrameItem.Reply reply = (FrameItem.Reply) a.framesTo(B).stream()
                .flatMap(frame -> frame.items().stream())
                .findFirst()
                .orElseThrow();
        assertEquals(55, reply.ask());
        assertNull(reply.value());
        assertEquals(
                FailureCode.INCOMPATIBLE,
                reply.failure() == null ? null : reply.failure().code());
        assertEquals(List.of(FailureCode.INCOMPATIBLE), a.counted);
    }

    @Test
    void anItemThatIsNotKnownEndsTheAskThatItAnswers() {
        show(T1, T1, B);
        a.knows(B);
        LaneFixture.Ask ask = a.ask(1, "hello", 1_000, now);
        a.flush(now);
        long number = a.framesTo(B).stream()
                .flatMap(frame -> frame.items().stream())
                .mapToLong(item -> ((Envelope) item).ask())
                .findFirst()
                .orElseThrow();
        receive(new FrameItem.Unknown(30, number, true));
        assertEquals(FailureCode.INCOMPATIBLE, ask.code);
        assertEquals(
                List.of(),
                a.framesTo(B).stream().flatMap(frame -> frame.items().stream()).toList());
    }
}
