package io.shardbus.wire;

/** Bytes that are not what they claim to be, or of a version that this node does not know. */
public final class WireFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public WireFormatException(String message) {
        super(message, null, false, false);
    }
}
