package io.shardbus.codec;

import io.shardbus.EntityType;
import io.shardbus.spi.PayloadCodec;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * A user's codec, with what every codec knows around it: tag 33, then the user's bytes. All that the user's code throws
 * comes out as an IllegalArgumentException.
 */
final class CustomCodec<M> implements PayloadCodec<M> {
    private static final int TAG = 33;

    private final PayloadCodec<M> codec;
    private final ValueFormat format;

    CustomCodec(EntityType<M> entityType, PayloadCodec<M> codec) {
        this.codec = codec;
        this.format = new ValueFormat(entityType.name(), new Users(codec));
    }

    @Override
    public String name() {
        return codec.name();
    }

    @Override
    public String version() {
        return codec.version();
    }

    @Override
    public boolean accepts(@Nullable Object message) {
        return message != null && codec.accepts(message);
    }

    @Override
    public void encode(@Nullable Object value, Buffer out) {
        format.encode(value, out);
    }

    @Override
    public @Nullable Object decode(Buffer in, int start, int end) {
        return format.decode(new Span(in, start, end));
    }

    @Override
    public M fromJson(JsonObject json) {
        return codec.fromJson(json);
    }

    @Override
    public @Nullable Object toJson(@Nullable Object answer) {
        return answer == null || Scalar.of(answer).isPresent() ? answer : codec.toJson(answer);
    }

    /** Value format extension for the user's codec: its messages, and all values that no built-in format covers. */
    private record Users(PayloadCodec<?> codec) implements ValueFormat.Extension {
        @Override
        public boolean takes(Object value) {
            return codec.accepts(value) || !ValueFormat.isBuiltIn(value);
        }

        @Override
        public void encode(Object value, Buffer out) {
            try (var scratch = Scratch.take()) {
                codec.encode(value, scratch.buffer());
                out.appendByte((byte) TAG);
                scratch.appendTo(out);
            } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
                throw refusal(e);
            }
        }

        @Override
        public boolean reads(int tag) {
            return tag == TAG;
        }

        @Override
        public @Nullable Object decode(Span in) {
            try {
                return codec.decode(in.buffer(), in.start(), in.end());
            } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
                throw refusal(e);
            }
        }

        @Override
        public String advice() {
            return "the codec '" + codec.name() + "' should know it";
        }

        private IllegalArgumentException refusal(Throwable e) {
            return new IllegalArgumentException("the codec '" + codec.name() + "' failed: " + e, e);
        }
    }
}
