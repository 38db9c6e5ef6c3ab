package io.shardbus.transport.direct;

import io.shardbus.core.protocol.PeerLane;
import io.shardbus.transport.seal.StreamSeal;
import io.shardbus.wire.WireFormatException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import org.jspecify.annotations.Nullable;

/**
 * A connection that another lane has made to this one. First the sender shows its token, and gets an answer. Then
 * nothing is read until the bus has brought the sender's note that no more frames come over the bus; after that frames
 * are read. On its lane alone.
 */
final class InLink {
    private static final byte YES = 1;
    private static final Buffer ANSWER = Buffer.buffer(new byte[] {YES});
    private static final Buffer QUESTION = FrameCutter.framed(Buffer.buffer());

    /** In beats. */
    private static final int PATIENCE = 4;

    /** A living lane at the other end has closed it long before. */
    static final int SILENCE = 2 * OutLink.IDLE;

    private final LaneLinks lane;
    private final NetSocket socket;
    private final FrameCutter cutter = new FrameCutter(LinkToken.MOST_BYTES, this::taken);
    private int patience = PATIENCE;
    private int silent;
    private @Nullable PeerLane peer;
    private @Nullable StreamSeal seal;
    private boolean open;
    private boolean closed;

    InLink(LaneLinks lane, NetSocket socket) {
        this.lane = lane;
        this.socket = socket;
        socket.exceptionHandler(failure -> close());
        socket.closeHandler(gone -> lane.gone(this));
        socket.handler(this::read);
    }

    /** Asks whether the other side hears us; a frame of no bytes. */
    static Buffer question() {
        return QUESTION;
    }

    static boolean isYes(Buffer answer) {
        for (int i = 0; i < answer.length(); i++) {
            if (answer.getByte(i) != YES) {
                return false;
            }
        }
        return true;
    }

    private void read(Buffer chunk) {
        if (closed) {
            return;
        }
        silent = 0;
        try {
            cutter.take(chunk);
        } catch (WireFormatException e) {
            lane.refuse(String.valueOf(e.getMessage()));
            close();
        } catch (RuntimeException | Error e) {
            // the frames behind this one are lost: those that follow must not pass for the next
            close();
            throw e;
        }
    }

    private void taken(Buffer frame) {
        if (closed) {
            return;
        }
        if (open && frame.length() > 0) {
            lane.received(seal == null ? frame : seal.open(frame));
        } else if (open) {
            socket.write(ANSWER);
        } else {
            greeted(frame);
        }
    }

    private void greeted(Buffer greeting) {
        LinkToken token = LinkToken.greeted(greeting);
        peer = peer == null ? lane.admit(token, this) : null;
        if (peer == null) {
            throw new WireFormatException("a connection without a token of ours");
        }
        patience = PATIENCE;
        seal = lane.sealOf(token);
        cutter.most(lane.mostBytes() + (seal == null ? 0 : StreamSeal.BYTES));
        socket.pause();
        socket.write(ANSWER);
    }

    /** Nothing more comes over the bus. */
    void open() {
        open = true;
        socket.resume();
    }

    /** A while has gone by. */
    void beat() {
        boolean over = open ? ++silent >= SILENCE : --patience == 0;
        if (over) {
            close();
        }
    }

    void close() {
        closed = true;
        LaneLinks.cut(socket);
    }
}
