package io.shardbus.transport;

import io.shardbus.core.protocol.EntityState;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.EraseEntity;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.FaultText;
import io.shardbus.core.protocol.FrameHead;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.ItemHeaders;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.core.routing.FrameWriter;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.wire.FieldWriter;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.function.LongSupplier;
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
    private final FieldWriter fields = new FieldWriter(256);
    private final LongSupplier clock;
    private Buffer frame = Buffer.buffer();
    private PeerLane to;
    private boolean answerOnly;
    private int lastLength = FIRST_LENGTH;
    private int sentBytes;

    /** @param clock elapsed milliseconds, for what is left until a deadline */
    public FrameEncoder(
            PeerLane self,
            int frameBytes,
            int maxPayloadBytes,
            PayloadWire payloads,
            Sender sender,
            LongSupplier clock) {
        this.self = self.node();
        this.lane = self.lane();
        this.to = self;
        this.frameBytes = frameBytes;
        this.maxPayloadBytes = maxPayloadBytes;
        this.payloads = payloads;
        this.sender = sender;
        this.clock = clock;
    }

    @Override
    public void begin(PeerLane peer, FrameHead frameHead) {
        to = peer;
        answerOnly = frameHead.number() == 0;
        tokens.beginFrame();
        // sized by the last frame with items, with some room, so that a frame like it fits
        frame = Buffer.buffer(answerOnly ? FIRST_LENGTH : Math.max(FIRST_LENGTH, lastLength + lastLength / 8));
        fields.clear().node(FrameHeadFields.NODE, self).number(FrameHeadFields.LANE, lane);
        FrameHeadFields.write(fields, frameHead);
        frame.appendByte((byte) FrameKind.VERSION);
        appendFields();
    }

    /** Appends the length of the fields in the writer, then these fields. */
    private void appendFields() {
        int length = fields.length();
        int bits = length;
        while (bits > 0x7f) {
            frame.appendByte((byte) (bits & 0x7f | 0x80));
            bits >>>= 7;
        }
        frame.appendByte((byte) bits).appendBytes(fields.array(), 0, length);
    }

    @Override
    public @Nullable Failure append(FrameItem item) {
        int before = frame.length();
        boolean written = false;
        try {
            Failure failure = items.write(item);
            written = failure == null;
            return failure;
        } finally {
            if (!written) {
                frame = frame.getBuffer(0, before);
                // the item may have been the one that named its shard's token
                tokens.beginFrame();
            }
        }
    }

    @Override
    public boolean isFull() {
        return frame.length() >= frameBytes;
    }

    @Override
    public Object send() {
        sentBytes = frame.length();
        lastLength = answerOnly ? lastLength : sentBytes;
        sender.send(to, frame, answerOnly);
        return frame;
    }

    @Override
    public void repeat(PeerLane peer, Object sent) {
        Buffer again = (Buffer) sent;
        sentBytes = again.length();
        sender.send(peer, again, false);
    }

    @Override
    public int bytes() {
        return sentBytes;
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
            if (envelope.payload() == EraseEntity.REQUEST) {
                String text = "entity '" + envelope.entityId() + "' has left this node: erase it again";
                failure = Failure.of(FailureCode.NOT_APPLICABLE, text);
                return;
            }
            begin(envelope, envelope.isStart() ? FrameKind.START : FrameKind.MESSAGE);
            if (envelope.isStart()) {
                head.appendTo(frame);
                return;
            }
            int start = beginPayload();
            try {
                payloads.encodeMessage(envelope.payload(), frame);
                endPayload(start);
            } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
                notEncodable(e);
            }
        }

        private void begin(Envelope envelope, int kind) {
            boolean asks = envelope.ask() != 0;
            boolean named = tokens.isNamed(envelope.shard(), envelope.token());
            boolean plain = envelope.headers().isEmpty();
            head.kind(kind
                            | (asks ? FrameKind.WITH_ASK : 0)
                            | (named ? 0 : FrameKind.WITH_TOKEN)
                            | (plain ? 0 : FrameKind.WITH_HEADERS))
                    .shortValue(envelope.shard());
            if (!named) {
                head.token(envelope.token());
                tokens.name(envelope.shard(), envelope.token());
            }
            if (asks) {
                head.longValue(envelope.ask());
            }
            if (!plain) {
                headers(envelope.headers());
            }
            head.shortString(envelope.entityId());
        }

        @Override
        public void reply(FrameItem.Reply reply) {
            Failure failed = reply.failure();
            int headed = reply.headers().isEmpty() ? 0 : FrameKind.WITH_HEADERS;
            if (failed == null) {
                head.kind(FrameKind.ANSWER | headed).longValue(reply.ask());
                if (headed != 0) {
                    headers(reply.headers());
                }
                int start = beginPayload();
                try {
                    payloads.encodeAnswer(reply.value(), frame);
                    endPayload(start);
                } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
                    notEncodable(e);
                }
            } else {
                head.kind(FrameKind.FAILURE | FrameKind.ENDS_ASK | headed).longValue(reply.ask());
                if (headed != 0) {
                    headers(reply.headers());
                }
                head.appendTo(frame);
                fields.clear().text(1, failed.code().name()).text(2, FaultText.shortened(failed.message()));
                String entityCode = failed.entityCode();
                if (entityCode != null) {
                    fields.bytes(3, FaultText.shortened(entityCode).getBytes(StandardCharsets.UTF_8));
                }
                appendFields();
            }
        }

        private void headers(ItemHeaders headers) {
            HeaderFields.write(fields.clear(), headers, clock.getAsLong());
            head.record(fields);
        }

        /** Begins an item that carries no ask number. */
        private FieldWriter plain(int kind) {
            frame.appendByte((byte) kind);
            return fields.clear();
        }

        @Override
        public void drained(FrameItem.Drained drained) {
            plain(FrameKind.DRAINED).number(1, drained.shard()).token(2, drained.version());
            appendFields();
        }

        @Override
        public void wantStates(FrameItem.WantStates wanted) {
            plain(FrameKind.WANT_STATES).number(1, wanted.shard()).token(2, wanted.token());
            appendFields();
        }

        @Override
        public void state(FrameItem.State item) {
            EntityState state = item.state();
            plain(FrameKind.STATE)
                    .number(1, item.shard())
                    .token(2, item.token())
                    .number(3, item.remaining());
            if (state != null) {
                fields.text(4, state.entityId()).signed(5, state.version()).bytes(6, state.bytes());
            }
            appendFields();
        }

        @Override
        public void unknown(FrameItem.Unknown item) {
            throw new IllegalArgumentException("an item of another build is never sent");
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

        private void notEncodable(Throwable e) {
            failure = Failure.of(FailureCode.PAYLOAD_NOT_ENCODABLE, FaultText.message(e));
        }
    }
}
