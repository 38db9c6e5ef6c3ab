package io.shardbus.transport.direct;

import io.shardbus.wire.FieldWriter;
import io.shardbus.wire.Fields;
import io.vertx.core.buffer.Buffer;

/**
 * Token that a lane must present on its connection: the listener has given it to that lane alone, over the event bus.
 */
record LinkToken(long high, long low) {
    /** Limit of a greeting, in bytes; leaves room for fields of later builds. */
    static final int MOST_BYTES = 1024;

    private static final int TOKEN = 1;

    static final LinkToken NONE = new LinkToken(0, 0);

    static LinkToken read(Fields in) {
        return new LinkToken(in.fixed(1), in.fixed(2));
    }

    void write(FieldWriter out, int field) {
        out.record(field, token -> token.fixed(1, high).fixed(2, low));
    }

    /** First message of the lane on its connection: fields, of which this is one. */
    Buffer greeting() {
        FieldWriter out = new FieldWriter();
        write(out, TOKEN);
        return Buffer.buffer(out.toBytes());
    }

    /** @throws io.shardbus.wire.WireFormatException for what is no greeting */
    static LinkToken greeted(Buffer greeting) {
        return read(Fields.of(greeting.getBytes()).requireRecord(TOKEN));
    }

    /** Name under which the frames on its connection are sealed: no other connection has it. */
    String stream() {
        return "link " + Long.toHexString(high) + " " + Long.toHexString(low);
    }

    @Override
    public String toString() {
        return "a token";
    }
}
