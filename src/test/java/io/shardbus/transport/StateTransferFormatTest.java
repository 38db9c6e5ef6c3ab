package io.shardbus.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.shardbus.core.protocol.EntityState;
import io.shardbus.core.protocol.FrameHead;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ToCoordinator.ShardStopped;
import io.shardbus.core.protocol.ToRegion.HostShard;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** States of moving entities on the wire, and the words that lead to them. */
class StateTransferFormatTest {
    private static final NodeId A = new NodeId("a");
    private static final FencingToken TOKEN = new FencingToken(1, 2, 3);

    private final List<Buffer> frames = new ArrayList<>();

    private static final class NoPayloads implements PayloadWire {
        @Override
        public void encodeMessage(Object message, Buffer out) {
            throw new IllegalArgumentException("no payloads here");
        }

        @Override
        public Object decodeMessage(Buffer in, int start, int end) {
            throw new IllegalArgumentException("no payloads here");
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

    private List<FrameItem> sent(FrameItem... items) {
        FrameEncoder encoder = new FrameEncoder(
                new PeerLane(A, 0), 1024, 100, new NoPayloads(), (to, frame, answerOnly) -> frames.add(frame), () -> 0);
        encoder.begin(new PeerLane(A, 1), new FrameHead(1, 1, 0, FrameHead.Answer.NOTHING));
        for (FrameItem item : items) {
            assertNull(encoder.append(item));
        }
        encoder.send();
        return new FrameDecoder(new NoPayloads(), 10, () -> 0, skipped -> {})
                .decode(frames.get(0))
                .items();
    }

    @Test
    void statesTravelInFrames() {
        EntityState state = new EntityState("e", 7, new byte[] {1, 2, 3});
        FrameItem.WantStates wanted = new FrameItem.WantStates(5, TOKEN);
        FrameItem.State last = new FrameItem.State(5, TOKEN, null, 0);
        List<FrameItem> read = sent(wanted, new FrameItem.State(5, TOKEN, state, 1), last);
        assertEquals(List.of(wanted, last), List.of(read.get(0), read.get(2)));
        FrameItem.State first = (FrameItem.State) read.get(1);
        EntityState arrived = Objects.requireNonNull(first.state());
        assertEquals(1, first.remaining());
        assertEquals("e", arrived.entityId());
        assertEquals(7, arrived.version());
        assertArrayEquals(state.bytes(), arrived.bytes());
    }

    private static void staysEqual(ControlMessage message) {
        Buffer frame = ControlCodec.begin(A);
        ControlCodec.append(frame, message);
        assertEquals(List.of(message), ControlCodec.decode(frame));
    }

    @Test
    void theFormerHomeIsNamed() {
        TermId term = new TermId(4, 2);
        ShardHome former = new ShardHome(5, TOKEN, TOKEN, A, 2);
        staysEqual(new ControlMessage.ForRegion(A, term, "t", new HostShard(1, 5, TOKEN, former)));
        staysEqual(new ControlMessage.ForRegion(A, term, "t", new HostShard(1, 5, TOKEN)));
        staysEqual(new ControlMessage.ForCoordinator(A, term, "t", new ShardStopped(5, TOKEN, true)));
        staysEqual(new ControlMessage.ForCoordinator(A, term, "t", new ShardStopped(5, TOKEN)));
    }

    @Test
    void aNodeThatLeavesSaysWhetherItsRegionsHaveEnded() {
        staysEqual(new ControlMessage.ForNode(A, new NodeMessage.NodeLeaving(A, true)));
        staysEqual(new ControlMessage.ForNode(A, new NodeMessage.NodeLeaving(A, false)));
    }
}
