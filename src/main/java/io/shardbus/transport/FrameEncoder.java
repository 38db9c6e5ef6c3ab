package io.shardbus.transport;

import io.shardbus.FailureCode;
import io.shardbus.NodeId;
import io.shardbus.core.entity.EntityState;
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
        /** @param answerOnly whether the frame has no number and no items */
        void send(PeerLane to, Buffer frame, boolean answerOnly);
    }

    private static final int FIRST_LENGTH = 256;

    private final NodeId self;
    private final int lane;
    private final int frameBytes;
    private final int maxPayloadBytes;
    private final PayloadWire payloads;
    private final Sender sender;
    private final Items items = new Items();
    private final ItemHead head = new ItemHead();
    private final TokensInFrame tokens = new TokensInFrame();
    private Buffer frame = Buffer.buffer();
    private WireWriter out = new WireWriter(frame);
    private PeerLane to;
    private boolean answerOnly;
    private int lastLength = FIRST_LENGTH;

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
    public void begin(PeerLane peer, FrameHead frameHead) {
        to = peer;
        answerOnly = frameHead.number() == 0;
        tokens.beginFrame();
        // The last frame tells how large this one may become; a little more, so that one like it fits.
        frame = Buffer.buffer(Math.max(FIRST_LENGTH, lastLength + lastLength / 8));
        out = new WireWriter(frame);
        out.byteValue(FrameKind.VERSION).node(self).shortValue(lane);
        out.longValue(frameHead.epoch()).longValue(frameHead.number()).longValue(frameHead.answered());
        out.longValue(frameHead.answer().epoch()).longValue(frameHead.answer().received());
        out.intValue(frameHead.answer().bounces().size());
        for (FrameHead.Bounce bounce : frameHead.answer().bounces()) {
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
            // the item may have been the one that named its shard's token
            tokens.beginFrame();
        }
        return failure;
    }

    @Override
    public boolean isFull() {
        return frame.length() >= frameBytes;
    }

    @Override
    public Object send() {
        lastLength = frame.length();
        sender.send(to, frame, answerOnly);
        return frame;
    }

    @Override
    public void repeat(PeerLane peer, Object sent) {
        sender.send(peer, (Buffer) sent, false);
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
            begin(envelope, envelope.isStart() ? FrameKind.START : FrameKind.MESSAGE);
            if (envelope.isStart()) {
                head.appendTo(frame);
                return;
            }
            int start = beginPayload();
            try {
                payloads.encodeMessage(envelope.payload(), frame);
                endPayload(start);
            } catch (RuntimeException e) {
                notEncodable(e);
            }
        }

        private void begin(Envelope envelope, int kind) {
            boolean asks = envelope.ask() != 0;
            boolean named = tokens.isNamed(envelope.shard(), envelope.token());
            head.kind(kind | (asks ? FrameKind.WITH_ASK : 0) | (named ? 0 : FrameKind.WITH_TOKEN))
                    .shortValue(envelope.shard());
            if (!named) {
                head.token(envelope.token());
                tokens.name(envelope.shard(), envelope.token());
            }
            if (asks) {
                head.longValue(envelope.ask());
            }
            head.shortString(envelope.entityId());
        }

        @Override
        public void reply(FrameItem.Reply reply) {
            Failure failed = reply.failure();
            if (failed == null) {
                head.kind(FrameKind.ANSWER).longValue(reply.ask());
                int start = beginPayload();
                try {
                    payloads.encodeAnswer(reply.value(), frame);
                    endPayload(start);
                } catch (RuntimeException e) {
                    notEncodable(e);
                }
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
        public void wantStates(FrameItem.WantStates wanted) {
            out.byteValue(FrameKind.WANT_STATES).intValue(wanted.shard()).token(wanted.token());
        }

        @Override
        public void state(FrameItem.State item) {
            EntityState state = item.state();
            out.byteValue(state == null ? FrameKind.NO_MORE_STATES : FrameKind.STATE);
            out.intValue(item.shard()).token(item.token()).intValue(item.remaining());
            if (state != null) {
                out.string(state.entityId()).intValue(state.version()).intValue(state.bytes().length);
                frame.appendBytes(state.bytes());
            }
        }

        @Override
        public void undecodable(FrameItem.Undecodable item) {
            throw new IllegalArgumentException("an undecodable message is never sent");
        }

        /** Appends the head and room for the payload's length; returns where the payload begins. */
        private int beginPayload() {
            head.intValue(0).appendTo(frame);
            return frame.length();
        }

        private void endPayload(int start) {
            int length = frame.length() - start;
            frame.setInt(start - Integer.BYTES, length);
            if (length > maxPayloadBytes) {
                failure = Failure.of(
                        FailureCode.PAYLOAD_TOO_LARGE,
                        "the payload has " + length + " bytes, maxPayloadBytes is " + maxPayloadBytes);
            }
        }

        private void notEncodable(RuntimeException e) {
            failure = Failure.of(FailureCode.PAYLOAD_NOT_ENCODABLE, String.valueOf(e.getMessage()));
        }
    }
}
