package io.shardbus.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;

/**
 * Room for the bytes of one value until it is known that they are whole. Each thread reuses one; a second one that is
 * needed at the same time is new.
 */
final class Scratch implements AutoCloseable {
    private static final int SMALLEST = 256;
    private static final int LARGEST_KEPT = 65_536;
    private static final ThreadLocal<Scratch> OWN = ThreadLocal.withInitial(Scratch::new);

    private final ByteBuf bytes = Unpooled.buffer(SMALLEST);
    private final Buffer buffer = BufferInternal.buffer(bytes);
    private boolean taken;

    private Scratch() {}

    /** An empty one, until it is closed. */
    static Scratch take() {
        var own = OWN.get();
        if (own.taken) {
            return new Scratch();
        }
        own.taken = true;
        return own;
    }

    Buffer buffer() {
        return buffer;
    }

    void appendTo(Buffer out) {
        out.appendBytes(bytes.array(), bytes.arrayOffset(), buffer.length());
    }

    @Override
    public void close() {
        taken = false;
        bytes.clear();
        if (bytes.capacity() > LARGEST_KEPT) {
            OWN.remove();
        }
    }
}
