package io.shardbus.transport;

import io.shardbus.FencingToken;
import io.shardbus.NodeId;
import io.shardbus.core.protocol.TermId;
import io.vertx.core.buffer.Buffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads what {@link WireWriter} wrote; whatever is not that ends in a {@link WireFormatException}. */
final class WireReader {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** The bytes of the buffer: one copy costs less than a checked access for each number. */
    private final byte[] in;

    private final int end;
    private int position;

    WireReader(Buffer in) {
        this(in.getBytes(), 0, in.length());
    }

    private WireReader(byte[] in, int start, int end) {
        this.in = in;
        this.position = start;
        this.end = end;
    }

    /** Skips bytes and returns what reads them. */
    WireReader part(int bytes) {
        int start = advance(bytes);
        return new WireReader(in, start, start + bytes);
    }

    boolean hasMore() {
        return position < end;
    }

    int position() {
        return position;
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

    boolean bool() {
        return byteValue() != 0;
    }

    String string() {
        int length = intValue();
        int start = advance(length);
        return new String(in, start, length, StandardCharsets.UTF_8);
    }

    /** What {@link ItemHead#shortString} wrote. */
    String shortString() {
        int length = shortValue();
        int start = advance(length);
        return new String(in, start, length, StandardCharsets.UTF_8);
    }

    @Nullable
    String optionalString() {
        return bool() ? string() : null;
    }

    /** Skips bytes and returns where they begin. */
    int skip(int bytes) {
        return advance(bytes);
    }

    NodeId node() {
        String value = string();
        if (value.isBlank()) {
            throw new WireFormatException("blank node id");
        }
        return new NodeId(value);
    }

    TermId term() {
        return new TermId(longValue(), longValue());
    }

    FencingToken token() {
        return new FencingToken(longValue(), longValue(), longValue());
    }

    <T> List<T> list(Supplier<T> element) {
        int count = intValue();
        if (count < 0 || count > end - position) {
            throw new WireFormatException("a list of " + count + " in " + (end - position) + " bytes");
        }
        List<T> list = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            list.add(element.get());
        }
        return list;
    }
}
