package io.shardbus.transport.direct;

import io.shardbus.NodeId;
import io.shardbus.core.entity.PeerLane;
import io.shardbus.wire.WireFormatException;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/**
 * What lanes say of links over the event bus, on the address of their frames: which lane speaks, and what goes with the kind of note.
 *
 * @param token of an OFFER: what to show; of a SWITCH: what was shown
 * @param host of an OFFER: where to connect
 * @param mostBytes of an OFFER: the largest frame that is read
 */
record LinkNote(int kind, PeerLane from, LinkToken token, String host, int port, int mostBytes) {
    /** In the place of a frame's version, which never becomes that high. */
    private static final int MARK = 0xff;

    private static final int LONGEST_TEXT = 255;

    /** Sent in this order: the one who wants to connect asks, is offered a place, and says when frames no longer come over the bus. */
    static final int ASK = 1;

    static final int OFFER = 2;
    static final int SWITCH = 3;

    static LinkNote ask(PeerLane from) {
        return new LinkNote(ASK, from, LinkToken.NONE, "", 0, 0);
    }

    static LinkNote offer(PeerLane from, LinkToken token, String host, int port, int mostBytes) {
        return new LinkNote(OFFER, from, token, host, port, mostBytes);
    }

    static LinkNote switching(PeerLane from, LinkToken token) {
        return new LinkNote(SWITCH, from, token, "", 0, 0);
    }

    static boolean isNote(Buffer buffer) {
        return buffer.length() > 0 && buffer.getUnsignedByte(0) == MARK;
    }

    Buffer write() {
        Buffer out = Buffer.buffer().appendByte((byte) MARK).appendByte((byte) kind);
        appendText(out, from.node().value());
        out.appendInt(from.lane());
        token.appendTo(out);
        appendText(out, host);
        return out.appendInt(port).appendInt(mostBytes);
    }

    private static void appendText(Buffer out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > LONGEST_TEXT) {
            throw new IllegalArgumentException("longer than " + LONGEST_TEXT + " bytes: " + text);
        }
        out.appendUnsignedByte((short) bytes.length).appendBytes(bytes);
    }

    /** @throws WireFormatException for whatever is not a note */
    static LinkNote read(Buffer in) {
        try {
            int kind = in.getUnsignedByte(1);
            int at = 2;
            String node = text(in, at);
            at += 1 + in.getUnsignedByte(at);
            int lane = in.getInt(at);
            LinkToken token = LinkToken.read(in, at + Integer.BYTES);
            at += Integer.BYTES + LinkToken.BYTES;
            String host = text(in, at);
            at += 1 + in.getUnsignedByte(at);
            int port = in.getInt(at);
            int mostBytes = in.getInt(at + Integer.BYTES);
            boolean place = port > 0 && port <= 0xffff && !host.isBlank() && mostBytes > 0;
            if (kind < ASK || kind > SWITCH || kind == OFFER && !place || in.length() != at + 2 * Integer.BYTES) {
                throw new WireFormatException("a note about a link that makes no sense");
            }
            PeerLane from = new PeerLane(new NodeId(node), lane);
            return new LinkNote(kind, from, token, host, port, mostBytes);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new WireFormatException("a note about a link that makes no sense: " + e);
        }
    }

    private static String text(Buffer in, int at) {
        int start = at + 1;
        return in.getString(start, start + in.getUnsignedByte(at), StandardCharsets.UTF_8.name());
    }
}
