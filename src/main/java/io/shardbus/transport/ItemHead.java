package io.shardbus.transport;

import io.shardbus.model.FencingToken;
import io.shardbus.wire.FieldWriter;
import io.vertx.core.buffer.Buffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The fields of one frame item before its payload, big-endian; the buffer grows once for all of them. */
final class ItemHead {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final int MOST_FIXED = 64;

    private byte[] bytes = new byte[4 * MOST_FIXED];
    private int length;

    /** Begins an item. */
    ItemHead kind(int kind) {
        bytes[0] = (byte) kind;
        length = 1;
        return this;
    }

    ItemHead shortValue(int value) {
        bytes[length] = (byte) (value >> 8);
        bytes[length + 1] = (byte) value;
        length += Short.BYTES;
        return this;
    }

    ItemHead intValue(int value) {
        INT.set(bytes, length, value);
        length += Integer.BYTES;
        return this;
    }

    ItemHead longValue(long value) {
        LONG.set(bytes, length, value);
        length += Long.BYTES;
        return this;
    }

    ItemHead token(FencingToken token) {
        return longValue(token.term()).longValue(token.incarnation()).longValue(token.sequence());
    }

    /** The length of the fields in a varint, and the fields. */
    ItemHead record(FieldWriter fields) {
        int size = fields.length();
        ensure(length + size + MOST_FIXED);
        int bits = size;
        while (bits > 0x7f) {
            bytes[length++] = (byte) (bits & 0x7f | 0x80);
            bits >>>= 7;
        }
        bytes[length++] = (byte) bits;
        System.arraycopy(fields.array(), 0, bytes, length, size);
        length += size;
        return this;
    }

    /** A text of at most 65,535 bytes. */
    ItemHead shortString(String value) {
        int start = length + Short.BYTES;
        int most = value.length();
        ensure(start + most + MOST_FIXED);
        for (int i = 0; i < most; i++) {
            char c = value.charAt(i);
            if (c >= 0x80) {
                return encoded(value.getBytes(StandardCharsets.UTF_8));
            }
            bytes[start + i] = (byte) c;
        }
        shortValue(most);
        length += most;
        return this;
    }

    private ItemHead encoded(byte[] text) {
        ensure(length + Short.BYTES + text.length + MOST_FIXED);
        shortValue(text.length);
        System.arraycopy(text, 0, bytes, length, text.length);
        length += text.length;
        return this;
    }

    private void ensure(int capacity) {
        if (bytes.length < capacity) {
            bytes = Arrays.copyOf(bytes, 2 * capacity);
        }
    }

    void appendTo(Buffer out) {
        out.appendBytes(bytes, 0, length);
    }
}
