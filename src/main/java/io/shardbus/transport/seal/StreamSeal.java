package io.shardbus.transport.seal;

import io.shardbus.wire.WireFormatException;
import io.vertx.core.buffer.Buffer;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * Seals frames that arrive in the order in which they are sent, once each, or opens them at the other end: behind each
 * frame stands the signature of its number and its bytes for this stream. So a frame that was changed, left out, put in
 * or sent once more is refused, and all behind it. For one thread, and one end.
 */
public final class StreamSeal {
    /** Bytes by which sealing makes a frame longer. */
    public static final int BYTES = ClusterSecret.SIGNATURE;

    private final ClusterSecret secret;
    private final String stream;
    private long number;

    /** @param stream unique name of the stream */
    StreamSeal(ClusterSecret secret, String stream) {
        this.secret = secret;
        this.stream = stream;
    }

    /** The next frame as it is sent. */
    public Buffer seal(Buffer frame) {
        byte[] bytes = frame.getBytes();
        return Buffer.buffer(bytes.length + BYTES).appendBytes(bytes).appendBytes(sign(bytes));
    }

    /**
     * The next frame, out of what came.
     *
     * @throws WireFormatException if it is not the one that was sealed next
     */
    public Buffer open(Buffer sealed) {
        int end = sealed.length() - BYTES;
        if (end < 0) {
            throw new WireFormatException(Seals.NOT_SEALED);
        }
        byte[] all = sealed.getBytes();
        byte[] bytes = Arrays.copyOf(all, end);
        if (!MessageDigest.isEqual(sign(bytes), Arrays.copyOfRange(all, end, all.length))) {
            throw new WireFormatException(
                    "a frame on a link is sealed with another secret, was changed, or comes out of turn: "
                            + Seals.OPTION + " must hold the same bytes on all nodes");
        }
        return Buffer.buffer(bytes);
    }

    private byte[] sign(byte[] frame) {
        return secret.sign(stream + " " + ++number, frame, frame.length);
    }
}
