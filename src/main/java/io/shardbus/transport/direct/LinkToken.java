package io.shardbus.transport.direct;

import io.vertx.core.buffer.Buffer;

/** What a lane must show on its connection: whoever listens has given it to that lane alone, over the event bus. */
record LinkToken(long high, long low) {
    static final int BYTES = 16;
    static final LinkToken NONE = new LinkToken(0, 0);

    static LinkToken read(Buffer in, int at) {
        return new LinkToken(in.getLong(at), in.getLong(at + Long.BYTES));
    }

    Buffer appendTo(Buffer out) {
        return out.appendLong(high).appendLong(low);
    }

    @Override
    public String toString() {
        return "a token";
    }
}
