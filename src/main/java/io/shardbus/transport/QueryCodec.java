package io.shardbus.transport;

import io.shardbus.wire.FieldReader;
import io.shardbus.wire.FieldWriter;
import io.shardbus.wire.Fields;
import io.shardbus.wire.WireFormatException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;

/**
 * A question of one node to another, or the answer: the version in one byte, then numbered fields, of which one holds
 * the question's own as a JSON object. A reader takes of that what it knows.
 */
public final class QueryCodec {
    private static final byte VERSION = 2;
    private static final int JSON = 15;

    private QueryCodec() {}

    public static Buffer write(JsonObject content) {
        FieldWriter out = new FieldWriter(256)
                .raw(new byte[] {VERSION})
                .bytes(JSON, content.toBuffer().getBytes());
        return Buffer.buffer(out.toBytes());
    }

    /** @throws WireFormatException for all else */
    public static JsonObject read(Object body) {
        if (!(body instanceof Buffer buffer) || buffer.length() == 0 || buffer.getByte(0) != VERSION) {
            throw new WireFormatException("not a question or an answer of version " + VERSION);
        }
        Fields fields = Fields.of(new FieldReader(buffer.getBytes(), 1, buffer.length()));
        try {
            return new JsonObject(Buffer.buffer(fields.bytes(JSON)));
        } catch (DecodeException e) {
            throw new WireFormatException("not a JSON object: " + e.getMessage());
        }
    }
}
