package io.shardbus.transport;

import io.shardbus.wire.FieldReader;
import io.shardbus.wire.WireFormatException;
import io.vertx.core.buffer.Buffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Reads what {@link ItemHead} wrote; all else ends in a {@link WireFormatException}. */
final class WireReader {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** The bytes of the buffer: one copy costs less than a checked access for each number. */
    private final byte[] in;

    private final int end;
    private int position;

    WireReader(Buffer in) {
        this.in = in.getBytes();
        this.end = this.in.length;
    }

    boolean hasMore() {
        return position < end;
    }

    private int advance(int bytes) {
        if (bytes < 0 || bytes > end - position) {
            throw new WireFormatException("ends after " + end + " bytes, " + bytes + " more wanted at " + position);
        }
        int start = position;
        position += bytes;
        return start;
    }

    int byteValue() {
        return in[advance(1)] & 0xff;
    }

    int shortValue() {
        return byteValue() << 8 | byteValue();
    }

    int intValue() {
        return (int) INT.get(in, advance(4));
    }

    long longValue() {
        return (long) LONG.get(in, advance(8));
    }

    /** Reads a text of {@link ItemHead#shortString}. */
    String shortString() {
        int length = shortValue();
        int start = advance(length);
        return new String(in, start, length, StandardCharsets.UTF_8);
    }

    /** Skips bytes and returns where they begin. */
    int skip(int bytes) {
        return advance(bytes);
    }

    /** Fields after their length in a varint. */
    FieldReader record() {
        int size = 0;
        int shift = 0;
        int next = byteValue();
        while (next > 0x7f && shift < Integer.SIZE - 7) {
            size |= (next & 0x7f) << shift;
            shift += 7;
            next = byteValue();
        }
        size |= next << shift;
        int start = advance(size);
        return new FieldReader(in, start, start + size);
    }
}
