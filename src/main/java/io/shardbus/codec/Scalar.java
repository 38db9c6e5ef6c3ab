package io.shardbus.codec;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * A kind of value that every codec knows, for messages and answers.
 *
 * @param tag the first byte on the wire; tags are only ever added
 * @param size the number of bytes after the tag, or ANY
 */
record Scalar(int tag, Class<?> type, int size, BiConsumer<Object, Buffer> writer, Function<Span, Object> reader) {
    private static final int ANY = -1;

    /** In the order of their tags, from 1. */
    private static final List<Scalar> ALL = List.of(
            new Scalar(
                    1, Boolean.class, 1, (v, out) -> out.appendByte((byte) ((Boolean) v ? 1 : 0)), Scalar::readBoolean),
            new Scalar(
                    2,
                    Integer.class,
                    4,
                    (v, out) -> out.appendInt((Integer) v),
                    in -> in.buffer().getInt(in.start())),
            new Scalar(
                    3,
                    Long.class,
                    8,
                    (v, out) -> out.appendLong((Long) v),
                    in -> in.buffer().getLong(in.start())),
            new Scalar(
                    4,
                    Double.class,
                    8,
                    (v, out) -> out.appendDouble((Double) v),
                    in -> in.buffer().getDouble(in.start())),
            new Scalar(5, String.class, ANY, (v, out) -> out.appendString((String) v), Span::text),
            new Scalar(6, Buffer.class, ANY, (v, out) -> out.appendBuffer((Buffer) v), Span::copy),
            new Scalar(7, JsonObject.class, ANY, RecordJson::append, RecordJson::readObject),
            new Scalar(8, JsonArray.class, ANY, RecordJson::append, RecordJson::readArray));

    static Optional<Scalar> of(Object value) {
        for (var scalar : ALL) {
            if (scalar.type.isInstance(value)) {
                return Optional.of(scalar);
            }
        }
        return Optional.empty();
    }

    static Optional<Scalar> tagged(int tag) {
        return tag >= 1 && tag <= ALL.size() ? Optional.of(ALL.get(tag - 1)) : Optional.empty();
    }

    /** Whether values of this class, exactly, are of a kind. */
    static boolean isType(Class<?> type) {
        for (var scalar : ALL) {
            if (scalar.type == type) {
                return true;
            }
        }
        return false;
    }

    /**
     * Appends tag and value, or throws and appends nothing: JSON is made apart, since it may hold what cannot be
     * written.
     */
    void write(Object value, Buffer out) {
        if (type == JsonObject.class || type == JsonArray.class) {
            var json = Buffer.buffer();
            writer.accept(value, json);
            out.appendByte((byte) tag).appendBuffer(json);
        } else {
            writer.accept(value, out.appendByte((byte) tag));
        }
    }

    Object read(Span in) {
        if (size != ANY && in.length() != size) {
            throw new IllegalArgumentException(type.getSimpleName() + " of " + in.length() + " bytes, not " + size);
        }
        return reader.apply(in);
    }

    private static Object readBoolean(Span in) {
        byte value = in.buffer().getByte(in.start());
        if (value < 0 || value > 1) {
            throw new IllegalArgumentException("Boolean of neither 0 nor 1");
        }
        return value == 1;
    }
}
