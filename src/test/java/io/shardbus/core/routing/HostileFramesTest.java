package io.shardbus.core.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.protocol.EntityState;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.FrameHead;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.fuzz.Mutants;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.transport.FrameDecoder;
import io.shardbus.transport.FrameEncoder;
import io.shardbus.transport.PayloadWire;
import io.shardbus.wire.WireFormatException;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Frames with mistakes in them: what can be read is given to a lane, which serves others as before. */
class HostileFramesTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final NodeId C = new NodeId("c");
    private static final PeerLane OF_B = new PeerLane(B, 0);
    private static final FencingToken TOKEN = new FencingToken(7, 8, 9);

    private final LaneFixture here = new LaneFixture(A, 1_000);
    private final FrameDecoder decoder = new FrameDecoder(new Texts(), 10, () -> 0, skipped -> {});
    private long now;

    /** Payloads are texts. */
    private static final class Texts implements PayloadWire {
        @Override
        public void encodeMessage(Object message, Buffer out) {
            out.appendString(String.valueOf(message));
        }

        @Override
        public Object decodeMessage(Buffer in, int start, int end) {
            return in.getString(start, end);
        }

        @Override
        public void encodeAnswer(Object answer, Buffer out) {
            encodeMessage(answer, out);
        }

        @Override
        public Object decodeAnswer(Buffer in, int start, int end) {
            return decodeMessage(in, start, end);
        }
    }

    private static Envelope message(long ask) {
        Envelope envelope = new Envelope(0, "e", "hello", ask, null);
        envelope.token(TOKEN);
        return envelope;
    }

    private static List<byte[]> real() {
        List<byte[]> frames = new ArrayList<>();
        FrameEncoder encoder = new FrameEncoder(
                OF_B, 1024, 100, new Texts(), (to, frame, answerOnly) -> frames.add(frame.getBytes()), () -> 0);
        FrameHead.Answer answer = new FrameHead.Answer(4, 9, List.of(new FrameHead.Bounce(8, List.of(0, 2))));
        List<List<FrameItem>> contents = List.of(
                List.of(),
                List.of(message(77), message(0)),
                List.of(new FrameItem.Reply(8, "yes", null)),
                List.of(new FrameItem.Reply(9, null, new Failure(FailureCode.ENTITY_FAILED, "no", "ZERO"))),
                List.of(new FrameItem.Drained(0, TOKEN), new FrameItem.WantStates(0, TOKEN)),
                List.of(
                        new FrameItem.State(
                                0, TOKEN, new EntityState("e", 1, "state".getBytes(StandardCharsets.UTF_8)), 1),
                        new FrameItem.State(0, TOKEN, null, 0)));
        long number = 0;
        for (List<FrameItem> items : contents) {
            encoder.begin(new PeerLane(A, 0), new FrameHead(2, number++, 0, answer));
            items.forEach(encoder::append);
            encoder.send();
        }
        return frames;
    }

    @Test
    void aLaneTakesWhatCanBeReadAndServesOthers() {
        here.admitted =
                peer -> peer.lane() < 4 && (peer.node().equals(B) || peer.node().equals(C));
        here.extendLease(Long.MAX_VALUE / 2, 0);
        here.lane.hostShard(0, TOKEN, 0);
        new Mutants(real())
                .decode(bytes -> decoder.decode(Buffer.buffer(bytes)), Set.of(WireFormatException.class), frame -> {
                    here.lane.frameReceived(frame.from(), frame.head(), frame.items(), ++now);
                    here.flush(now);
                    if (now % 10 == 0) {
                        here.lane.tick(now);
                    }
                    assertTrue(here.lane.buffered() <= 1_000);
                });
        assertTrue(here.lane.channels().all().size() <= 8, "channels for lanes of members alone");
        here.handled.clear();
        here.lane.frameReceived(
                new PeerLane(C, 3),
                new FrameHead(Long.MAX_VALUE, 1, 0, FrameHead.Answer.NOTHING),
                List.of(fresh()),
                ++now);
        here.flush(now);
        assertEquals(List.of("hello"), here.handled);
    }

    private static Envelope fresh() {
        Envelope envelope = new Envelope(0, "fresh", "hello", 0, new PeerLane(C, 3));
        envelope.token(TOKEN);
        return envelope;
    }
}
