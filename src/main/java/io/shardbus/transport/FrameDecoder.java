package io.shardbus.transport;

import io.shardbus.FailureCode;
import io.shardbus.FencingToken;
import io.shardbus.NodeId;
import io.shardbus.core.entity.EntityState;
import io.shardbus.core.entity.Envelope;
import io.shardbus.core.entity.FrameItem;
import io.shardbus.core.entity.PeerLane;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.region.FrameHead;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads frames. A payload that cannot be read fails alone; any other fault fails the frame. */
public final class FrameDecoder {
    /** A frame that was read. */
    public record Frame(PeerLane from, FrameHead head, List<FrameItem> items) {}

    private final PayloadWire payloads;
    private final int numberOfShards;
    private final TokensInFrame tokens = new TokensInFrame();
    /** The last token of each shard: the next frame most likely names an equal one. */
    private final @Nullable FencingToken[] known;

    private @Nullable PeerLane lastPeer;

    public FrameDecoder(PayloadWire payloads, int numberOfShards) {
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
            throw new WireFormatException("a frame that makes no sense: " + e);
        }
    }

    private Frame read(Buffer buffer) {
        tokens.beginFrame();
        WireReader in = new WireReader(buffer);
        int version = in.byteValue();
        if (version != FrameKind.VERSION) {
            throw new WireFormatException("frame of version " + version + ", this node reads " + FrameKind.VERSION);
        }
        NodeId node = in.node();
        PeerLane from = peer(new PeerLane(node, in.shortValue()));
        FrameHead head = head(in);
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

    private static FrameHead head(WireReader in) {
        long epoch = in.longValue();
        long number = in.longValue();
        long answered = in.longValue();
        long answerEpoch = in.longValue();
        long received = in.longValue();
        List<FrameHead.Bounce> bounces = in.list(() -> bounce(in));
        return new FrameHead(epoch, number, answered, new FrameHead.Answer(answerEpoch, received, bounces));
    }

    private static FrameHead.Bounce bounce(WireReader in) {
        return new FrameHead.Bounce(in.longValue(), in.list(in::shortValue));
    }

    private FrameItem item(WireReader in, Buffer buffer, PeerLane from) {
        int kind = in.byteValue();
        return switch (kind & FrameKind.BASE) {
            case FrameKind.MESSAGE, FrameKind.START -> message(in, kind, buffer, from);
            case FrameKind.ANSWER -> answer(in, buffer);
            case FrameKind.FAILURE ->
                new FrameItem.Reply(
                        in.longValue(), null, new Failure(code(in.string()), in.string(), in.optionalString()));
            case FrameKind.DRAINED -> new FrameItem.Drained(shard(in.intValue()), in.token());
            case FrameKind.WANT_STATES -> new FrameItem.WantStates(shard(in.intValue()), in.token());
            case FrameKind.STATE, FrameKind.NO_MORE_STATES -> state(in, buffer, kind == FrameKind.STATE);
            default -> throw new WireFormatException("unknown kind of frame item: " + kind);
        };
    }

    private FrameItem.State state(WireReader in, Buffer buffer, boolean some) {
        int shard = shard(in.intValue());
        FencingToken token = in.token();
        int remaining = in.intValue();
        EntityState state = null;
        if (some) {
            String id = in.string();
            int version = in.intValue();
            int length = in.intValue();
            int begin = in.skip(length);
            state = new EntityState(id, version, buffer.getBytes(begin, begin + length));
        }
        return new FrameItem.State(shard, token, state, remaining);
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
        String id = in.shortString();
        Object payload = Envelope.START;
        if ((kind & FrameKind.BASE) == FrameKind.MESSAGE) {
            int length = in.intValue();
            int begin = in.skip(length);
            try {
                payload = payloads.decodeMessage(buffer, begin, begin + length);
            } catch (RuntimeException e) {
                return new FrameItem.Undecodable(ask, shard, id, String.valueOf(e.getMessage()));
            }
        }
        Envelope envelope = new Envelope(shard, id, payload, ask, from);
        envelope.token(token);
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

    private FrameItem answer(WireReader in, Buffer buffer) {
        long ask = in.longValue();
        int length = in.intValue();
        int begin = in.skip(length);
        try {
            return new FrameItem.Reply(ask, payloads.decodeAnswer(buffer, begin, begin + length), null);
        } catch (RuntimeException e) {
            String text = "the answer: " + e.getMessage();
            return new FrameItem.Reply(ask, null, Failure.of(FailureCode.PAYLOAD_NOT_DECODABLE, text));
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
