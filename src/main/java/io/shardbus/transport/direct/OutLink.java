package io.shardbus.transport.direct;

import io.netty.channel.ChannelOutboundBuffer;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.transport.seal.StreamSeal;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetSocket;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one-way link to a lane of another node. It is asked for over the bus with the first frame that wants it, and
 * opens once the peer has accepted our token: the last that goes over the bus is the note that says so. When it fails,
 * frames go over the bus again, and it is asked for anew after a pause. When nothing was sent for long, it closes. On
 * its lane alone.
 */
final class OutLink {
    private static final Logger LOG = LoggerFactory.getLogger(OutLink.class);

    /** In beats. */
    private static final int PATIENCE = 4;

    private static final int FIRST_PAUSE = 2;
    private static final int LONGEST_PAUSE = 120;
    private static final long LONGEST_FLUSH_MS = 2000;

    /** Beats without traffic after which the link is closed and forgotten. */
    static final int IDLE = 120;

    /** Beats for which the link must stay open until its back-off resets. */
    private static final int STEADY = 20;

    private enum State {
        CLOSED,
        ASKED,
        CONNECTING,
        OPEN
    }

    private final PeerLane peer;
    private final LaneLinks lane;
    private State state = State.CLOSED;
    private int pause;
    private int nextPause = FIRST_PAUSE;
    private int patience;
    private int idle;
    private int steady;
    private LinkToken token = LinkToken.NONE;
    private int mostBytes;
    private @Nullable NetSocket socket;
    private @Nullable StreamSeal seal;
    /** Whether frames were written since the peer was asked whether it hears us. */
    private boolean written;

    private boolean questioned;
    /** The first that waits to be written, and how much of it was. */
    private @Nullable Object waiting;

    private long progress;

    OutLink(PeerLane peer, LaneLinks lane) {
        this.peer = peer;
        this.lane = lane;
    }

    /** Sends a frame; false when it must go over the bus. */
    boolean send(Buffer frame, boolean mayAsk) {
        if (mayAsk || state == State.OPEN) {
            idle = 0;
        }
        if (state == State.OPEN && frame.length() <= mostBytes) {
            written = true;
            Objects.requireNonNull(socket).write(FrameCutter.framed(seal == null ? frame : seal.seal(frame)));
            return true;
        }
        if (mayAsk && state == State.CLOSED && pause == 0) {
            state = State.ASKED;
            patience = PATIENCE;
            lane.note(peer, LinkNote.ask(lane.self(), lane.areSealed()));
        }
        return false;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    /** The peer has told where it listens. */
    void offered(LinkNote offer) {
        if (state != State.ASKED) {
            return;
        }
        state = State.CONNECTING;
        patience = PATIENCE;
        token = offer.token();
        seal = lane.sealOf(token);
        mostBytes = offer.mostBytes();
        lane.connect(offer.host(), offer.port())
                .onSuccess(connected -> connected(connected, offer.token()))
                .onFailure(failure -> fail(offer.token(), failure));
    }

    private void connected(NetSocket connected, LinkToken shown) {
        if (state != State.CONNECTING || !token.equals(shown)) {
            connected.close();
            return;
        }
        socket = connected;
        connected.exceptionHandler(failure -> fail(shown, failure));
        connected.closeHandler(closed -> fail(shown, null));
        connected.handler(answer -> heard(answer, shown));
        connected.write(FrameCutter.framed(shown.greeting()));
    }

    private void heard(Buffer answer, LinkToken shown) {
        if (!token.equals(shown)) {
            return;
        }
        if (!InLink.isYes(answer)) {
            lane.refuse("a malformed answer on a link");
            fail(shown, null);
            return;
        }
        patience = PATIENCE;
        questioned = false;
        if (state == State.CONNECTING) {
            lane.note(peer, LinkNote.switching(lane.self(), token));
            state = State.OPEN;
            written = false;
            steady = 0;
            LOG.debug("{} has a link to {}", lane.self(), peer);
        }
    }

    private void fail(LinkToken shown, @Nullable Throwable failure) {
        if (token.equals(shown)) {
            LOG.debug("{} has no link to {}", lane.self(), peer, failure);
            cut();
        }
    }

    /** Frames go over the bus, until the link is asked for anew; what was not written yet is lost. */
    void cut() {
        NetSocket ended = end();
        if (ended != null) {
            LaneLinks.cut(ended);
        }
    }

    /** The same, when all frames under way have been written. */
    Future<Void> close() {
        NetSocket ended = end();
        return ended == null
                ? Future.succeededFuture()
                : ended.close()
                        .timeout(LONGEST_FLUSH_MS, TimeUnit.MILLISECONDS)
                        .onFailure(failure -> LaneLinks.cut(ended));
    }

    private @Nullable NetSocket end() {
        NetSocket ended = socket;
        socket = null;
        token = LinkToken.NONE;
        if (state != State.CLOSED) {
            state = State.CLOSED;
            pause = nextPause;
            nextPause = Math.min(2 * nextPause, LONGEST_PAUSE);
        }
        return ended;
    }

    /** A while has gone by; false when the link was not used for long. */
    boolean beat() {
        idle++;
        switch (state) {
            case CLOSED -> pause = Math.max(0, pause - 1);
            case ASKED, CONNECTING -> waitForAnswer();
            case OPEN -> watch();
        }
        return state != State.CLOSED || idle < IDLE || pause > 0;
    }

    /** It did not fail: the next sender may ask at once. */
    private void retire() {
        Future<Void> unused = close();
        pause = 0;
    }

    /** Whether something was written since the last time: a peer that reads slowly is no deaf one. */
    private boolean hasMoved() {
        NetSocketInternal open = (NetSocketInternal) Objects.requireNonNull(socket);
        ChannelOutboundBuffer queue =
                open.channelHandlerContext().channel().unsafe().outboundBuffer();
        Object first = queue == null ? null : queue.current();
        long written = queue == null ? 0 : queue.currentProgress();
        boolean moved = first != null && (first != waiting || written != progress);
        waiting = first;
        progress = written;
        return moved;
    }

    private void waitForAnswer() {
        if (--patience == 0) {
            LOG.debug("{} got no answer about a link from {}", lane.self(), peer);
            cut();
        }
    }

    /** Asks the peer for an answer after frames were sent: a link that swallows them must not pass for an idle one. */
    private void watch() {
        if (!questioned && ++steady >= STEADY) {
            nextPause = FIRST_PAUSE;
        }
        if (questioned) {
            patience = hasMoved() ? PATIENCE : patience;
            waitForAnswer();
        } else if (idle >= IDLE) {
            retire();
        } else if (written) {
            written = false;
            questioned = true;
            patience = PATIENCE;
            Objects.requireNonNull(socket).write(InLink.question());
        }
    }
}
