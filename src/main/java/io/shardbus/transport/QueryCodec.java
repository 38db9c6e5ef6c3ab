package io.shardbus.transport;

import io.shardbus.core.protocol.Query;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.wire.FieldReader;
import io.shardbus.wire.FieldWriter;
import io.shardbus.wire.Fields;
import io.shardbus.wire.WireFormatException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.function.Function;

/**
 * A query of one node to another, or the answer: the version in one byte, then numbered fields, of which one holds the
 * content as a JSON object.
 */
public final class QueryCodec {
    private static final byte VERSION = 2;
    private static final int JSON = 15;

    private QueryCodec() {}

    public static Buffer write(Query<?> query) {
        return write(QueryJson.write(query));
    }

    public static Buffer write(QueryAnswer answer) {
        return write(QueryJson.write(answer));
    }

    private static Buffer write(JsonObject content) {
        FieldWriter out = new FieldWriter(256)
                .raw(new byte[] {VERSION})
                .bytes(JSON, content.toBuffer().getBytes());
        return Buffer.buffer(out.toBytes());
    }

    /**
     * @return {@link Query.Unknown} for one of a later build
     * @throws WireFormatException for all else
     */
    public static Query<?> readQuery(Object body) {
        return read(body, QueryJson::query);
    }

    /** @throws WireFormatException for what is no answer to the query */
    @SuppressWarnings("unchecked") // each query has answers of one class, which QueryJson makes
    public static <A extends QueryAnswer> A readAnswer(Query<A> query, Object body) {
        return (A) read(body, json -> QueryJson.answer(query, json));
    }

    private static <T> T read(Object body, Function<JsonObject, T> reader) {
        if (!(body instanceof Buffer buffer) || buffer.length() == 0 || buffer.getByte(0) != VERSION) {
            throw new WireFormatException("not a question or an answer of version " + VERSION);
        }
        Fields fields = Fields.of(new FieldReader(buffer.getBytes(), 1, buffer.length()));
        try {
            return reader.apply(new JsonObject(Buffer.buffer(fields.bytes(JSON))));
        } catch (WireFormatException e) {
            throw e;
        } catch (RuntimeException e) {
            // Vert.x throws exceptions of several classes for bytes that it cannot read
            throw new WireFormatException("not a query that can be read: " + e);
        }
    }
}
