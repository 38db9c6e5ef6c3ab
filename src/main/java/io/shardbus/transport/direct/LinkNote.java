package io.shardbus.transport.direct;

import io.shardbus.core.protocol.PeerLane;
import io.shardbus.wire.FieldReader;
import io.shardbus.wire.FieldWriter;
import io.shardbus.wire.Fields;
import io.shardbus.wire.WireFormatException;
import io.vertx.core.buffer.Buffer;

/**
 * Message of lanes about their links, over the event bus, on the address of their frames, as numbered fields: which
 * lane sends it, and the values of its kind.
 *
 * @param token of an OFFER: what to show; of a SWITCH: what was shown
 * @param host of an OFFER: where to connect
 * @param mostBytes of an OFFER: the largest frame that is read
 * @param sealed of an ASK and an OFFER: whether the frames are sealed
 */
record LinkNote(int kind, PeerLane from, LinkToken token, String host, int port, int mostBytes, boolean sealed) {
    /** In the place of a frame's version, which never becomes that high. */
    private static final int MARK = 0xff;

    /**
     * Sent in this order: the sender asks for a link, the receiver offers a place, the sender says when its frames no
     * longer come over the bus.
     */
    static final int ASK = 1;

    static final int OFFER = 2;
    static final int SWITCH = 3;

    static LinkNote ask(PeerLane from, boolean sealed) {
        return new LinkNote(ASK, from, LinkToken.NONE, "", 0, 0, sealed);
    }

    static LinkNote offer(PeerLane from, LinkToken token, String host, int port, int mostBytes, boolean sealed) {
        return new LinkNote(OFFER, from, token, host, port, mostBytes, sealed);
    }

    static LinkNote switching(PeerLane from, LinkToken token) {
        return new LinkNote(SWITCH, from, token, "", 0, 0, false);
    }

    static boolean isNote(Buffer buffer) {
        return buffer.length() > 0 && buffer.getUnsignedByte(0) == MARK;
    }

    Buffer write() {
        FieldWriter out = new FieldWriter().number(1, kind).node(2, from.node()).number(3, from.lane());
        token.write(out, 4);
        out.text(5, host).number(6, port).number(7, mostBytes);
        if (sealed) {
            out.flag(8, true);
        }
        return Buffer.buffer().appendByte((byte) MARK).appendBytes(out.array(), 0, out.length());
    }

    /**
     * Reads a note; its kind may be one that only a later build has.
     *
     * @throws WireFormatException for all else
     */
    static LinkNote read(Buffer in) {
        Fields fields = Fields.of(new FieldReader(in.getBytes(), 1, in.length()));
        int kind = fields.count(1);
        int port = fields.count(6);
        int mostBytes = fields.count(7);
        String host = fields.text(5);
        boolean place = port > 0 && port <= 0xffff && !host.isBlank() && mostBytes > 0;
        if (kind < ASK || kind == OFFER && !place) {
            throw new WireFormatException("a malformed note about a link");
        }
        PeerLane from = new PeerLane(fields.node(2), fields.count(3));
        LinkToken token = fields.record(4).map(LinkToken::read).orElse(LinkToken.NONE);
        return new LinkNote(kind, from, token, host, port, mostBytes, fields.flag(8));
    }
}
