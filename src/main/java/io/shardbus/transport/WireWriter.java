package io.shardbus.transport;

import io.shardbus.FencingToken;
import io.shardbus.NodeId;
import io.shardbus.core.protocol.TermId;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Appends our own binary format to a buffer: big-endian numbers, UTF-8 strings after their length. */
final class WireWriter {
    private final Buffer out;

    WireWriter(Buffer out) {
        this.out = out;
    }

    WireWriter byteValue(int value) {
        out.appendByte((byte) value);
        return this;
    }

    WireWriter shortValue(int value) {
        out.appendUnsignedShort(value);
        return this;
    }

    WireWriter intValue(int value) {
        out.appendInt(value);
        return this;
    }

    WireWriter longValue(long value) {
        out.appendLong(value);
        return this;
    }

    WireWriter bool(boolean value) {
        return byteValue(value ? 1 : 0);
    }

    WireWriter string(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        out.appendInt(bytes.length).appendBytes(bytes);
        return this;
    }

    WireWriter optionalString(@Nullable String value) {
        bool(value != null);
        return value == null ? this : string(value);
    }

    WireWriter node(NodeId node) {
        return string(node.value());
    }

    WireWriter term(TermId term) {
        return longValue(term.number()).longValue(term.incarnation());
    }

    WireWriter token(FencingToken token) {
        return longValue(token.term()).longValue(token.incarnation()).longValue(token.sequence());
    }
}
