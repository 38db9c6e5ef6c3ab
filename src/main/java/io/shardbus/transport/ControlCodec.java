package io.shardbus.transport;

import io.shardbus.model.NodeId;
import io.shardbus.wire.FieldReader;
import io.shardbus.wire.FieldWriter;
import io.shardbus.wire.WireFormatException;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A control frame: the version in one byte, then numbered fields: the sender, what else stands at the head of a frame,
 * then any number of control messages. A reader skips fields that it does not know; of a message of an unknown kind it
 * says so, and reads the others.
 */
public final class ControlCodec {
    /** The version that this node writes; it reads no other. */
    public static final int VERSION = 2;

    private static final int FROM = 1;
    private static final int MESSAGE = 15;

    private ControlCodec() {}

    /** A new frame without messages. */
    public static Buffer begin(NodeId from) {
        FieldWriter head = new FieldWriter().node(FROM, from);
        return Buffer.buffer(256).appendByte((byte) VERSION).appendBytes(head.array(), 0, head.length());
    }

    public static void append(Buffer frame, ControlMessage message) {
        FieldWriter out = new FieldWriter(128);
        out.record(MESSAGE, fields -> new ControlEncoder(fields).write(message));
        frame.appendBytes(out.array(), 0, out.length());
    }

    /**
     * Reads a frame.
     *
     * @throws WireFormatException for a newer version and for garbage
     */
    public static List<ControlMessage> decode(Buffer frame) {
        try {
            return read(frame.getBytes());
        } catch (IllegalArgumentException | IndexOutOfBoundsException | NullPointerException e) {
            throw new WireFormatException("a malformed control frame: " + e);
        }
    }

    private static List<ControlMessage> read(byte[] frame) {
        if (frame.length == 0 || frame[0] != VERSION) {
            String version = frame.length == 0 ? "none" : String.valueOf(frame[0] & 0xff);
            throw new WireFormatException("control frame of version " + version + ", this node reads " + VERSION);
        }
        FieldReader in = new FieldReader(frame, 1, frame.length);
        @Nullable NodeId from = null;
        List<FieldReader> messages = new ArrayList<>();
        while (in.next()) {
            switch (in.field()) {
                case FROM -> from = in.node();
                case MESSAGE -> messages.add(in.record());
                default -> {}
            }
        }
        if (from == null) {
            throw new WireFormatException("a control frame without a sender");
        }
        List<ControlMessage> read = new ArrayList<>(messages.size());
        for (FieldReader message : messages) {
            read.add(new ControlDecoder(from, message).read());
        }
        return read;
    }
}
