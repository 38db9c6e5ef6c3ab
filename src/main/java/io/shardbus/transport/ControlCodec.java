package io.shardbus.transport;

import io.shardbus.NodeId;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;

/** A control frame: version, sender, then any number of control messages, each after its length. */
public final class ControlCodec {
    /** The version that this node writes; it reads no other. */
    public static final int VERSION = 1;

    private ControlCodec() {}

    /** A new frame without messages. */
    public static Buffer begin(NodeId from) {
        Buffer buffer = Buffer.buffer(256);
        new WireWriter(buffer).byteValue(VERSION).node(from);
        return buffer;
    }

    public static void append(Buffer frame, ControlMessage message) {
        int start = frame.length();
        frame.appendInt(0);
        new ControlEncoder(frame).write(message);
        frame.setInt(start, frame.length() - start - 4);
    }

    /**
     * Reads a frame.
     *
     * @throws WireFormatException for a newer version and for garbage
     */
    public static List<ControlMessage> decode(Buffer frame) {
        try {
            return read(frame);
        } catch (IllegalArgumentException | IndexOutOfBoundsException | NullPointerException e) {
            throw new WireFormatException("a control frame that makes no sense: " + e);
        }
    }

    private static List<ControlMessage> read(Buffer frame) {
        WireReader in = new WireReader(frame);
        int version = in.byteValue();
        if (version != VERSION) {
            throw new WireFormatException("control frame of version " + version + ", this node reads " + VERSION);
        }
        NodeId from = in.node();
        List<ControlMessage> messages = new ArrayList<>();
        while (in.hasMore()) {
            int length = in.intValue();
            messages.add(new ControlDecoder(from, in.part(length)).read());
        }
        return messages;
    }
}
