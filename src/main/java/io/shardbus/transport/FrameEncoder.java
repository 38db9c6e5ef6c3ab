package io.shardbus.transport;

import io.shardbus.FailureCode;
import io.shardbus.NodeId;
import io.shardbus.core.entity.Envelope;
import io.shardbus.core.entity.FrameItem;
import io.shardbus.core.entity.PeerLane;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.region.FrameHead;
import io.shardbus.core.region.FrameWriter;
import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/** Writes frames straight into the buffer that the event bus sends. */
public final class FrameEncoder implements FrameWriter {
    /** Sends a finished frame. */
    @FunctionalInterface
    public interface Sender {
        void send(PeerLane to, Buffer frame);
    }

    private final NodeId self;
    private final int lane;
    private final int frameBytes;
    private final int maxPayloadBytes;
    private final PayloadWire payloads;
    private final Sender sender;
    private final Items items = new Items();
    private Buffer frame = Buffer.buffer();
    private WireWriter out = new WireWriter(frame);
    private PeerLane to;

    public FrameEncoder(PeerLane self, int frameBytes, int maxPayloadBytes, PayloadWire payloads, Sender sender) {
        this.self = self.node();
        this.lane = self.lane();
        this.to = self;
        this.frameBytes = frameBytes;
        this.maxPayloadBytes = maxPayloadBytes;
        this.payloads = payloads;
        this.sender = sender;
    }

    @Override
    public void begin(PeerLane peer, FrameHead head) {
        to = peer;
        frame = Buffer.buffer(256);
        out = new WireWriter(frame);
        out.byteValue(FrameKind.VERSION).node(self).shortValue(lane);
        out.longValue(head.epoch()).longValue(head.number()).longValue(head.answered());
        out.longValue(head.answer().epoch()).longValue(head.answer().received());
        out.intValue(head.answer().bounces().size());
        for (FrameHead.Bounce bounce : head.answer().bounces()) {
            out.longValue(bounce.frame()).intValue(bounce.items().size());
            for (int item : bounce.items()) {
                out.shortValue(item);
            }
        }
    }

    @Override
    public @Nullable Failure append(FrameItem item) {
        int before = frame.length();
        Failure failure = items.write(item);
        if (failure != null) {
            frame = frame.getBuffer(0, before);
            out = new WireWriter(frame);
        }
        return failure;
    }

    @Override
    public boolean isFull() {
        return frame.length() >= frameBytes;
    }

    @Override
    public Object send() {
        sender.send(to, frame);
        return frame;
    }

    @Override
    public void repeat(PeerLane peer, Object sent) {
        sender.send(peer, (Buffer) sent);
    }

    private final class Items implements FrameItem.Visitor {
        private @Nullable Failure failure;

        @Nullable
        Failure write(FrameItem item) {
            failure = null;
            item.accept(this);
            return failure;
        }

        @Override
        public void message(Envelope envelope) {
            out.byteValue(envelope.isStart() ? FrameKind.START : FrameKind.MESSAGE);
            out.intValue(envelope.shard())
                    .token(envelope.token())
                    .longValue(envelope.ask())
                    .string(envelope.entityId());
            if (!envelope.isStart()) {
                sized(() -> payloads.encodeMessage(envelope.payload(), frame));
            }
        }

        @Override
        public void reply(FrameItem.Reply reply) {
            Failure failed = reply.failure();
            if (failed == null) {
                out.byteValue(FrameKind.ANSWER).longValue(reply.ask());
                sized(() -> payloads.encodeAnswer(reply.value(), frame));
            } else {
                out.byteValue(FrameKind.FAILURE)
                        .longValue(reply.ask())
                        .string(failed.code().name());
                out.string(failed.message()).optionalString(failed.entityCode());
            }
        }

        @Override
        public void drained(FrameItem.Drained drained) {
            out.byteValue(FrameKind.DRAINED).intValue(drained.shard()).token(drained.version());
        }

        @Override
        public void undecodable(FrameItem.Undecodable item) {
            throw new IllegalArgumentException("an undecodable message is never sent");
        }

        private void sized(Runnable encode) {
            int start = frame.length();
            frame.appendInt(0);
            try {
                encode.run();
            } catch (RuntimeException e) {
                failure = Failure.of(FailureCode.PAYLOAD_NOT_ENCODABLE, String.valueOf(e.getMessage()));
                return;
            }
            int length = frame.length() - start - 4;
            frame.setInt(start, length);
            if (length > maxPayloadBytes) {
                failure = Failure.of(
                        FailureCode.PAYLOAD_TOO_LARGE,
                        "the payload has " + length + " bytes, maxPayloadBytes is " + maxPayloadBytes);
            }
        }
    }
}
