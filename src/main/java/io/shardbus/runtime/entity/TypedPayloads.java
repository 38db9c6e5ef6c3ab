package io.shardbus.runtime.entity;

import static java.util.Objects.requireNonNull;

import io.shardbus.ShardingException;
import io.shardbus.core.protocol.FaultText;
import io.shardbus.model.EntityLocation;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.spi.PayloadCodec;
import io.shardbus.transport.PayloadWire;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The payloads of one entity type on the wire: the type's codec, and our own answer to a start request. */
public final class TypedPayloads implements PayloadWire {
    private static final byte BY_CODEC = 0;
    private static final byte LOCATION = 1;

    private final PayloadCodec<?> codec;
    private final int messageForm;

    public TypedPayloads(PayloadCodec<?> codec) {
        this(codec, 0);
    }

    /** @param messageForm see {@link #messageForm} */
    public TypedPayloads(PayloadCodec<?> codec, int messageForm) {
        this.codec = codec;
        this.messageForm = messageForm;
    }

    @Override
    public int messageForm() {
        return messageForm;
    }

    @Override
    public void encodeMessage(Object message, Buffer out) {
        codec.encode(message, out);
    }

    @Override
    public Object decodeMessage(Buffer in, int start, int end) {
        Object message = codec.decode(in, start, end);
        if (message == null || !codec.accepts(message)) {
            throw new IllegalArgumentException("the bytes are not a message of the type");
        }
        return message;
    }

    @Override
    public void encodeAnswer(@Nullable Object answer, Buffer out) {
        if (answer instanceof EntityLocation location) {
            out.appendByte(LOCATION).appendBuffer(toJson(location).toBuffer());
        } else {
            out.appendByte(BY_CODEC);
            codec.encode(answer, out);
        }
    }

    @Override
    public @Nullable Object decodeAnswer(Buffer in, int start, int end) {
        if (start >= end) {
            throw new IllegalArgumentException("an answer of no bytes");
        }
        if (in.getByte(start) == LOCATION) {
            return fromJson(in.slice(start + 1, end).toJsonObject());
        }
        return codec.decode(in, start + 1, end);
    }

    /**
     * Copies a message as a way over the wire would.
     *
     * @throws ShardingException as the wire would fail it
     */
    public Object copyMessage(Object message, int maxBytes) {
        Buffer bytes = bytes(out -> encodeMessage(message, out), maxBytes);
        return requireNonNull(decoded(() -> decodeMessage(bytes, 0, bytes.length())));
    }

    /** Copies an answer as a way over the wire would; see {@link #copyMessage}. */
    public @Nullable Object copyAnswer(@Nullable Object answer, int maxBytes) {
        Buffer bytes = bytes(out -> encodeAnswer(answer, out), maxBytes);
        return decoded(() -> decodeAnswer(bytes, 0, bytes.length()));
    }

    private static Buffer bytes(Consumer<Buffer> encoder, int maxBytes) {
        Buffer bytes = Buffer.buffer();
        try {
            encoder.accept(bytes);
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            throw new ShardingException(FailureCode.PAYLOAD_NOT_ENCODABLE, FaultText.message(e), e);
        }
        if (bytes.length() > maxBytes) {
            throw new ShardingException(
                    FailureCode.PAYLOAD_TOO_LARGE,
                    "the payload has " + bytes.length() + " bytes, maxPayloadBytes is " + maxBytes);
        }
        return bytes;
    }

    private static @Nullable Object decoded(Supplier<@Nullable Object> decoder) {
        try {
            return decoder.get();
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            throw new ShardingException(FailureCode.PAYLOAD_NOT_DECODABLE, FaultText.message(e), e);
        }
    }

    /** A location as JSON, for the wire between nodes. */
    public static JsonObject toJson(EntityLocation location) {
        FencingToken token = location.token();
        return new JsonObject()
                .put("type", location.type())
                .put("id", location.id())
                .put("shard", location.shard())
                .put("node", location.node().value())
                .put(
                        "token",
                        new JsonArray()
                                .add(token.term())
                                .add(token.incarnation())
                                .add(token.sequence()))
                .put("live", location.live());
    }

    /** The reverse of {@link #toJson}. */
    public static EntityLocation fromJson(JsonObject json) {
        JsonArray token = json.getJsonArray("token");
        return new EntityLocation(
                json.getString("type"),
                json.getString("id"),
                json.getInteger("shard"),
                new NodeId(json.getString("node")),
                new FencingToken(token.getLong(0), token.getLong(1), token.getLong(2)),
                json.getBoolean("live"));
    }
}
