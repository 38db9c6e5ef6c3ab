package io.shardbus.core.routing;

import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.model.FencingToken;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way from this lane to one shard. Messages leave while the home is known, no handoff is under way, and everything
 * that was sent under an earlier token has been answered; otherwise they wait here, in order.
 */
final class Route {
    final int shard;
    private FencingToken version = FencingToken.NONE;
    private @Nullable ShardHome home;
    private @Nullable PeerLane peer;
    private @Nullable Channel channel;
    private boolean handoff;
    private boolean full;
    private FencingToken sentUnder = FencingToken.NONE;
    private int underWay;
    private final ArrayDeque<Envelope> waiting = new ArrayDeque<>(0);
    private final List<Envelope> bounced = new ArrayList<>(0);
    private long askAt = Long.MIN_VALUE;
    private long askPause;

    private final HomeWait wait = new HomeWait();
    /** When the home last took a message, or the first one after that was sent to it. */
    private long signAt;

    private int lost;

    Route(int shard) {
        this.shard = shard;
    }

    @Nullable
    ShardHome home() {
        return home;
    }

    @Nullable
    PeerLane peer() {
        return peer;
    }

    /** The channel to the peer, once one was needed. */
    @Nullable
    Channel channel() {
        return channel;
    }

    void channel(Channel found) {
        channel = found;
    }

    /** Messages begin to wait here. */
    void held(long now) {
        wait.begin(now, waitingCount(), handoff);
    }

    HomeWait homeWait() {
        return wait;
    }

    /** What was put back here has waited at a home that is lost, since that gave its last sign. */
    void waitedAtLostHome() {
        wait.homeLost();
        wait.backTo(signAt);
    }

    boolean isInHandoff() {
        return handoff;
    }

    /** Whether messages may leave now. */
    boolean isOpen() {
        return home != null && !handoff && bounced.isEmpty() && (underWay == 0 || sentUnder.equals(home.token()));
    }

    boolean isIdle() {
        return waiting.isEmpty() && bounced.isEmpty();
    }

    int waitingCount() {
        return waiting.size() + bounced.size();
    }

    /**
     * Whether senders are to wait: too many messages are here, or on the way to its home. True when that has changed.
     */
    boolean fullChanged(boolean wayIsFull, int most) {
        boolean now = wayIsFull || waitingCount() >= (full ? most / 2 + 1 : most);
        boolean changed = now != full;
        full = now;
        return changed;
    }

    boolean isFull() {
        return full;
    }

    /** Takes a statement about the shard's home unless a later one is known. */
    void show(ShardHome statement, long now) {
        if (version.isNewerThan(statement.version())) {
            return;
        }
        if (statement.version().isNewerThan(version)) {
            mayAsk();
        }
        version = statement.version();
        home = statement;
        peer = new PeerLane(statement.home(), statement.shard() % statement.lanes());
        channel = null;
        handoff = false;
    }

    /**
     * Takes the beginning of a handoff unless a later statement is known; whether it is one to answer. The word on its
     * end may be lost, so the home is asked for after a while.
     */
    boolean beginHandoff(FencingToken of, long askAgain) {
        if (version.isNewerThan(of)) {
            return false;
        }
        if (!handoff || of.isNewerThan(version)) {
            askAt = askAgain;
        }
        version = of;
        handoff = true;
        return true;
    }

    /** The home is not to be believed any more; the next question for it waits for the pause. */
    void forget() {
        home = null;
        peer = null;
        channel = null;
    }

    /** The home is gone, or gives no sign. */
    void homeLost() {
        forget();
        wait.homeLost();
    }

    /** No coordinator's word counts any more. */
    void forgetAll() {
        cancelHandoff();
        forget();
        version = FencingToken.NONE;
    }

    /** A handoff ended with its coordinator: the word on its end will not come, and the home is asked for at once. */
    void cancelHandoff() {
        if (handoff) {
            handoff = false;
            forget();
            mayAsk();
        }
    }

    private void mayAsk() {
        askPause = 0;
        askAt = Long.MIN_VALUE;
    }

    boolean wantsHome(long now) {
        return (home == null || handoff) && !isIdle() && now >= askAt;
    }

    /** The home is being asked for; not again before a pause that doubles. */
    void asked(long now, long longestPause) {
        askPause = Math.min(Math.max(50, askPause * 2), longestPause);
        askAt = now + askPause;
    }

    void sent(Envelope envelope, long now) {
        sentUnder = envelope.token();
        if (underWay == 0) {
            signAt = now;
        }
        underWay++;
    }

    void taken(long now) {
        underWay--;
        askPause = 0;
        signAt = now;
    }

    /** The message came back unexecuted: the shard is not where it was thought to be. */
    void bounced(Envelope envelope) {
        underWay--;
        wait.add(1);
        bounced.add(envelope);
        if (home != null && home.token().equals(envelope.token())) {
            forget();
        }
    }

    /** The message could not leave. */
    void unsendable() {
        underWay--;
    }

    /** The message has failed with the loss of its home, as have all others that are under way. */
    void lost(long now) {
        underWay--;
        lost++;
        if (underWay == 0) {
            wait.fail(lost, signAt, now, !isIdle());
            lost = 0;
        }
    }

    boolean hasUnderWay() {
        return underWay > 0;
    }

    void add(Envelope envelope) {
        wait.add(1);
        waiting.add(envelope);
    }

    /** Puts messages back that had not left, before those that came later. */
    void putBack(List<Envelope> unsent) {
        wait.add(unsent.size());
        for (int i = unsent.size() - 1; i >= 0; i--) {
            underWay--;
            waiting.addFirst(unsent.get(i));
        }
    }

    /** When no message is under way, returned messages are put before waiting ones. */
    void settle() {
        if (underWay == 0 && !bounced.isEmpty()) {
            for (int i = bounced.size() - 1; i >= 0; i--) {
                waiting.addFirst(bounced.get(i));
            }
            bounced.clear();
        }
    }

    /** Takes out what entities of the shard have sent to each other, in order. */
    List<Envelope> takeInside() {
        List<Envelope> inside = waiting.stream().filter(Envelope::isInside).toList();
        waiting.removeIf(Envelope::isInside);
        return inside;
    }

    void addFirst(Envelope envelope) {
        waiting.addFirst(envelope);
    }

    /** The next message, if it may leave. */
    @Nullable
    Envelope poll() {
        return isOpen() ? waiting.poll() : null;
    }

    /** Drops the messages that wait and whose asks are over; how many. */
    int dropOver(AskTable asks) {
        int before = waitingCount();
        waiting.removeIf(asks::isOver);
        bounced.removeIf(asks::isOver);
        return before - waitingCount();
    }

    /** Takes out everything that waits, in order. */
    List<Envelope> takeAll() {
        List<Envelope> all = new ArrayList<>(bounced);
        bounced.clear();
        all.addAll(waiting);
        waiting.clear();
        return all;
    }
}
