package io.shardbus.transport;

import io.shardbus.FencingToken;
import io.shardbus.NodeId;
import io.shardbus.core.protocol.TermId;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads what {@link WireWriter} wrote; whatever is not that ends in a {@link WireFormatException}. */
final class WireReader {
    private final Buffer in;
    private final int end;
    private int position;

    WireReader(Buffer in, int start, int end) {
        this.in = in;
        this.position = start;
        this.end = end;
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
        return in.getUnsignedByte(advance(1));
    }

    int shortValue() {
        return in.getUnsignedShort(advance(2));
    }

    int intValue() {
        return in.getInt(advance(4));
    }

    long longValue() {
        return in.getLong(advance(8));
    }

    boolean bool() {
        return byteValue() != 0;
    }

    String string() {
        int length = intValue();
        int start = advance(length);
        return in.getString(start, start + length, "UTF-8");
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
