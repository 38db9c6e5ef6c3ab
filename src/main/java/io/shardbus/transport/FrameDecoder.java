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
    /** The last token of each shard: the next message most likely carries an equal one. */
    private final @Nullable FencingToken[] tokens;

    private @Nullable PeerLane lastPeer;

    public FrameDecoder(PayloadWire payloads, int numberOfShards) {
        this.payloads = payloads;
        this.numberOfShards = numberOfShards;
        this.tokens = new FencingToken[numberOfShards];
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
        return switch (kind) {
            case FrameKind.MESSAGE, FrameKind.START -> message(in, buffer, from, kind == FrameKind.START);
            case FrameKind.ANSWER -> answer(in, buffer);
            case FrameKind.FAILURE ->
                new FrameItem.Reply(
                        in.longValue(), null, new Failure(code(in.string()), in.string(), in.optionalString()));
            case FrameKind.DRAINED -> new FrameItem.Drained(shard(in), in.token());
            case FrameKind.WANT_STATES -> new FrameItem.WantStates(shard(in), in.token());
            case FrameKind.STATE, FrameKind.NO_MORE_STATES -> state(in, buffer, kind == FrameKind.STATE);
            default -> throw new WireFormatException("unknown kind of frame item: " + kind);
        };
    }

    private FrameItem.State state(WireReader in, Buffer buffer, boolean some) {
        int shard = shard(in);
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

    private int shard(WireReader in) {
        int shard = in.intValue();
        if (shard < 0 || shard >= numberOfShards) {
            throw new WireFormatException("shard " + shard + " of " + numberOfShards);
        }
        return shard;
    }

    private FrameItem message(WireReader in, Buffer buffer, PeerLane from, boolean start) {
        int shard = shard(in);
        FencingToken token = token(in, shard);
        long ask = in.longValue();
        String id = in.string();
        Object payload = Envelope.START;
        if (!start) {
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
        FencingToken known = tokens[shard];
        if (known != null
                && known.sequence() == sequence
                && known.incarnation() == incarnation
                && known.term() == term) {
            return known;
        }
        FencingToken token = new FencingToken(term, incarnation, sequence);
        tokens[shard] = token;
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
