package io.shardbus.transport.direct;

import io.shardbus.wire.WireFormatException;
import io.vertx.core.buffer.Buffer;
import java.util.function.Consumer;

/**
 * Cuts what a socket gives into frames, each after its length. A frame that lies whole in what was read is not copied.
 */
public final class FrameCutter {
    private static final int LENGTH = Integer.BYTES;
    private static final Buffer NOTHING = Buffer.buffer();

    private final Consumer<Buffer> receiver;
    private int most;
    private Buffer rest = NOTHING;

    /** @param most bytes of a frame */
    public FrameCutter(int most, Consumer<Buffer> receiver) {
        this.most = most;
        this.receiver = receiver;
    }

    /** The bytes that go over a link for a frame. */
    public static Buffer framed(Buffer frame) {
        return Buffer.buffer(LENGTH + frame.length()).appendInt(frame.length()).appendBuffer(frame);
    }

    /** Frames may be so large from now on. */
    void most(int bytes) {
        most = bytes;
    }

    /** @throws WireFormatException for a frame that is larger than any may be */
    public void take(Buffer chunk) {
        Buffer in = rest == NOTHING ? chunk : rest.appendBuffer(chunk);
        int at = 0;
        while (in.length() - at >= LENGTH) {
            int length = in.getInt(at);
            if (length < 0 || length > most) {
                throw new WireFormatException("a frame of " + length + " bytes, at most are " + most);
            }
            int start = at + LENGTH;
            if (in.length() - start < length) {
                break;
            }
            at = start + length;
            receiver.accept(in.slice(start, at));
        }
        keep(in, at);
    }

    private void keep(Buffer in, int at) {
        if (at == in.length()) {
            rest = NOTHING;
        } else if (at > 0 || rest == NOTHING) {
            rest = in.getBuffer(at, in.length());
        }
    }
}
