package io.shardbus.datacenter;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.codec.PayloadCodecs;
import io.shardbus.core.protocol.FaultText;
import io.shardbus.model.FailureCode;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.entity.TypedPayloads;
import io.shardbus.spi.PayloadCodec;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A type whose entities may be addressed across data centers: encodes and decodes its messages and answers. */
final class SharedType<M> {
    private final EntityType<M> type;
    private final PayloadCodec<M> codec;
    private final TypedPayloads payloads;
    private final Duration askTimeout;
    private final int mostBytes;

    private SharedType(EntityType<M> type, PayloadCodec<M> codec, Duration askTimeout, int mostBytes) {
        this.type = type;
        this.codec = codec;
        this.payloads = new TypedPayloads(codec);
        this.askTimeout = askTimeout;
        this.mostBytes = mostBytes;
    }

    static <M> SharedType<M> of(EntityDefinition<M> definition, ShardingOptions options) {
        return new SharedType<>(
                definition.type(),
                PayloadCodecs.of(definition),
                definition.askTimeout().orElse(Duration.ofMillis(options.getAskTimeoutMs())),
                options.getMaxPayloadBytes());
    }

    static <M> SharedType<M> of(EntityType<M> type, ShardingOptions options) {
        return new SharedType<>(
                type,
                PayloadCodecs.forType(type),
                Duration.ofMillis(options.getAskTimeoutMs()),
                options.getMaxPayloadBytes());
    }

    EntityType<M> type() {
        return type;
    }

    Duration askTimeout() {
        return askTimeout;
    }

    /** @throws ShardingException INVALID_MESSAGE, PAYLOAD_NOT_ENCODABLE, PAYLOAD_TOO_LARGE */
    Buffer encodeMessage(@Nullable Object message) {
        if (message == null || !codec.accepts(message)) {
            throw new ShardingException(
                    FailureCode.INVALID_MESSAGE,
                    "type '" + type.name() + "' does not accept "
                            + (message == null
                                    ? "null"
                                    : "a " + message.getClass().getName()));
        }
        return encode(out -> payloads.encodeMessage(message, out));
    }

    /** @throws ShardingException PAYLOAD_NOT_ENCODABLE, PAYLOAD_TOO_LARGE */
    Buffer encodeAnswer(@Nullable Object answer) {
        return encode(out -> payloads.encodeAnswer(answer, out));
    }

    private Buffer encode(Consumer<Buffer> encoder) {
        var out = Buffer.buffer();
        try {
            encoder.accept(out);
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            throw new ShardingException(FailureCode.PAYLOAD_NOT_ENCODABLE, FaultText.message(e), e);
        }
        if (out.length() > mostBytes) {
            throw new ShardingException(
                    FailureCode.PAYLOAD_TOO_LARGE,
                    "the payload has " + out.length() + " bytes, maxPayloadBytes is " + mostBytes);
        }
        return out;
    }

    /** @throws ShardingException PAYLOAD_NOT_DECODABLE */
    @SuppressWarnings("unchecked") // the codec accepts no other messages
    M decodeMessage(Buffer payload) {
        return (M) decode(() -> payloads.decodeMessage(payload, 0, payload.length()));
    }

    /** @throws ShardingException PAYLOAD_NOT_DECODABLE */
    @Nullable
    Object decodeAnswer(Buffer payload) {
        return decode(() -> payloads.decodeAnswer(payload, 0, payload.length()));
    }

    private static <T extends @Nullable Object> T decode(Supplier<T> decoder) {
        try {
            return decoder.get();
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            throw new ShardingException(FailureCode.PAYLOAD_NOT_DECODABLE, FaultText.message(e), e);
        }
    }
}
