package benchmark;

import io.vertx.core.buffer.Buffer;

/** Paddings of messages. */
final class Payload {
    static final Buffer NONE = Buffer.buffer(0);

    private Payload() {}

    static Buffer of(int bytes) {
        return bytes == 0 ? NONE : Buffer.buffer(new byte[bytes]);
    }
}
