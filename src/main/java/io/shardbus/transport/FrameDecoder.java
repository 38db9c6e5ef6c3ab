package io.shardbus.transport;

import io.shardbus.core.protocol.EntityState;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.FaultText;
import io.shardbus.core.protocol.FrameHead;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.ItemHeaders;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.wire.FieldReader;
import io.shardbus.wire.Fields;
import io.shardbus.wire.WireFormatException;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads frames. A payload that cannot be read fails alone, fields that are not known are skipped, and an item of an
 * unknown kind says so and leaves the others as they are; any other fault fails the frame.
 */
public final class FrameDecoder {
    /** A frame that was read. */
    public record Frame(PeerLane from, FrameHead head, List<FrameItem> items) {}

    private final PayloadWire payloads;
    private final int numberOfShards;
    private final LongSupplier clock;
    private final Consumer<String> skipped;
    private final TokensInFrame tokens = new TokensInFrame();
    /** The last token of each shard: the next frame most likely names an equal one. */
    private final @Nullable FencingToken[] known;

    private @Nullable PeerLane lastPeer;

    /**
     * @param clock elapsed milliseconds, for deadlines
     * @param skipped hears of items and headers that were left out
     */
    public FrameDecoder(PayloadWire payloads, int numberOfShards, LongSupplier clock, Consumer<String> skipped) {
        this.clock = clock;
        this.skipped = skipped;
        this.payloads = payloads;
        this.numberOfShards = numberOfShards;
        this.known = new FencingToken[numberOfShards];
    }

    /**
     * Reads a frame.
     *
     * @throws WireFormatException for a newer version and for garbage
     */
    public Frame decode(Buffer buffer) {
        try {
            return read(buffer);
        } catch (IllegalArgumentException | IndexOutOfBoundsException | NullPointerException e) {
            throw new WireFormatException("a malformed frame: " + e);
        }
    }

    private Frame read(Buffer buffer) {
        tokens.beginFrame();
        WireReader in = new WireReader(buffer);
        int version = in.byteValue();
        if (version != FrameKind.VERSION) {
            throw new WireFormatException("frame of version " + version + ", this node reads " + FrameKind.VERSION);
        }
        FrameHeadFields.Read read = FrameHeadFields.read(in.record());
        PeerLane from = peer(read.from());
        FrameHead head = read.head();
        List<FrameItem> items = new ArrayList<>();
        while (in.hasMore()) {
            items.add(item(in, buffer, from));
        }
        return new Frame(from, head, items);
    }

    /** One object for frames from the same lane in a row. */
    private PeerLane peer(PeerLane read) {
        if (!read.equals(lastPeer)) {
            lastPeer = read;
        }
        return Objects.requireNonNull(lastPeer);
    }

    private FrameItem item(WireReader in, Buffer buffer, PeerLane from) {
        int kind = in.byteValue();
        return switch (kind & FrameKind.BASE) {
            case FrameKind.MESSAGE, FrameKind.START -> message(in, kind, buffer, from);
            case FrameKind.ANSWER -> answer(in, kind, buffer);
            default -> withFields(in, kind, from);
        };
    }

    /** Reads the fields of an item that is not made for speed. */
    private FrameItem withFields(WireReader in, int kind, PeerLane from) {
        boolean ends = (kind & FrameKind.ENDS_ASK) != 0;
        long ask = ends || (kind & FrameKind.WITH_ASK) != 0 ? in.longValue() : 0;
        ItemHeaders headers = headers(in, kind);
        Fields body = Fields.of(in.record());
        return switch (kind & FrameKind.BASE) {
            case FrameKind.FAILURE -> new FrameItem.Reply(ask, null, failure(body), headers);
            case FrameKind.DRAINED -> new FrameItem.Drained(shard(body.count(1)), body.token(2));
            case FrameKind.WANT_STATES -> new FrameItem.WantStates(shard(body.count(1)), body.token(2));
            case FrameKind.STATE -> state(body);
            default -> {
                skipped.accept("item " + (kind & FrameKind.BASE) + " of a frame from " + from);
                yield new FrameItem.Unknown(kind & FrameKind.BASE, ask, ends);
            }
        };
    }

    private static Failure failure(Fields body) {
        return new Failure(code(body.text(1)), body.text(2), body.has(3) ? body.text(3) : null);
    }

    private FrameItem.State state(Fields body) {
        String id = body.text(4);
        EntityState state = id.isEmpty() ? null : new EntityState(id, (int) body.signed(5), body.bytes(6));
        return new FrameItem.State(shard(body.count(1)), body.token(2), state, body.count(3));
    }

    /** A message is worth more than what travels beside it: headers that are too much are left out. */
    private ItemHeaders headers(WireReader in, int kind) {
        if ((kind & FrameKind.WITH_HEADERS) == 0) {
            return ItemHeaders.NONE;
        }
        FieldReader fields = in.record();
        if (fields.length() > HeaderFields.MOST_BYTES) {
            skipped.accept("headers of " + fields.length() + " bytes");
            return ItemHeaders.NONE;
        }
        try {
            return HeaderFields.read(fields, clock.getAsLong());
        } catch (IllegalArgumentException e) {
            skipped.accept("headers: " + e.getMessage());
            return ItemHeaders.NONE;
        }
    }

    private int shard(int shard) {
        if (shard < 0 || shard >= numberOfShards) {
            throw new WireFormatException("shard " + shard + " of " + numberOfShards);
        }
        return shard;
    }

    private FrameItem message(WireReader in, int kind, Buffer buffer, PeerLane from) {
        int shard = shard(in.shortValue());
        FencingToken token = (kind & FrameKind.WITH_TOKEN) != 0 ? token(in, shard) : named(shard);
        long ask = (kind & FrameKind.WITH_ASK) != 0 ? in.longValue() : 0;
        ItemHeaders headers = headers(in, kind);
        String id = in.shortString();
        Object payload = Envelope.START;
        if ((kind & FrameKind.BASE) == FrameKind.MESSAGE) {
            int length = in.intValue();
            int begin = in.skip(length);
            try {
                payload = payloads.decodeMessage(buffer, begin, begin + length);
            } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
                return new FrameItem.Undecodable(ask, shard, id, FaultText.message(e));
            }
        }
        Envelope envelope = new Envelope(shard, id, payload, ask, from);
        envelope.token(token);
        envelope.headers(headers);
        return envelope;
    }

    private FencingToken token(WireReader in, int shard) {
        long term = in.longValue();
        long incarnation = in.longValue();
        long sequence = in.longValue();
        FencingToken token = known[shard];
        if (token == null
                || token.sequence() != sequence
                || token.incarnation() != incarnation
                || token.term() != term) {
            token = new FencingToken(term, incarnation, sequence);
            known[shard] = token;
        }
        tokens.name(shard, token);
        return token;
    }

    private FencingToken named(int shard) {
        FencingToken token = tokens.get(shard);
        if (token == null) {
            throw new WireFormatException("no token was named for shard " + shard);
        }
        return token;
    }

    private FrameItem answer(WireReader in, int kind, Buffer buffer) {
        long ask = in.longValue();
        ItemHeaders headers = headers(in, kind);
        int length = in.intValue();
        int begin = in.skip(length);
        try {
            return new FrameItem.Reply(ask, payloads.decodeAnswer(buffer, begin, begin + length), null, headers);
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            String text = "the answer: " + FaultText.message(e);
            return new FrameItem.Reply(ask, null, Failure.of(FailureCode.PAYLOAD_NOT_DECODABLE, text), headers);
        }
    }

    /** A code of a newer node that this one does not know is a failure all the same. */
    private static FailureCode code(String name) {
        try {
            return FailureCode.valueOf(name);
        } catch (IllegalArgumentException e) {
            return FailureCode.OUTCOME_UNKNOWN;
        }
    }
}
