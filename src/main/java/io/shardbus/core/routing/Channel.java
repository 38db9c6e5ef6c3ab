package io.shardbus.core.routing;

import io.shardbus.core.hosting.LaneSettings;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.FrameHead;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.model.ConnectionReport.Flow;
import java.util.List;
import java.util.function.Predicate;

/**
 * The two directions between this lane and one lane of another node: frames that leave carry the acknowledgement of
 * those that came.
 */
final class Channel {
    /** Listener of a channel: its lane. */
    interface Listener {
        /** The item could not be put into a frame. */
        void unsendable(FrameItem item, Failure failure);

        /** The receiver has taken the message, or refused it unexecuted. */
        void answered(Envelope envelope, boolean taken);
    }

    final PeerLane peer;

    /** Whether it is noted that something may be to be sent; see {@link Channels}. */
    boolean marked;

    private final FrameWriter writer;
    private final OutChannel out;
    private final InChannel in;

    private long framesReceived;
    private long bytesReceived;
    private long heardAt;

    /**
     * @param epoch greater than that of any earlier channel of this node to the same lane: the peer may remember that
     * one's numbers
     */
    Channel(PeerLane peer, long epoch, LaneSettings settings, FrameWriter writer, Listener listener) {
        this.peer = peer;
        this.writer = writer;
        this.out = new OutChannel(peer, epoch, settings, writer, listener);
        this.in = new InChannel(settings);
    }

    /** Whether the peer has ever been heard. */
    boolean knowsPeer() {
        return in.knowsPeer();
    }

    /** A frame of the peer has come. */
    void heard(int bytes, long now) {
        framesReceived++;
        bytesReceived += bytes;
        heardAt = now;
    }

    /** The traffic until now. */
    LaneLink link(long now) {
        long heard = framesReceived == 0 ? -1 : Math.max(0, now - heardAt);
        return new LaneLink(
                peer,
                out.carries(),
                out.sent(),
                new Flow(framesReceived, bytesReceived),
                out.outbox(),
                heard,
                out.roundTrip());
    }

    long repeated() {
        return out.repeated();
    }

    long windowFull() {
        return out.windowFull();
    }

    void add(FrameItem item) {
        out.add(item);
    }

    boolean hasWork() {
        return in.hasAnswer() || mayLeave();
    }

    /**
     * Whether a frame may leave now. No item goes to a lane that was never heard: a later lane in that place could send
     * it back as not executed, though the first one has executed it. An empty frame asks such a lane for its answer.
     */
    private boolean mayLeave() {
        return knowsPeer() ? out.mayLeave() : out.mayAsk();
    }

    /**
     * Whether nothing waits for an acknowledgement or for a place in the window. Before closing, it sends one frame
     * that must be acknowledged where the peer has sent messages and may not have given up, so that the peer learns
     * what was taken: an answer alone may come after the end.
     */
    boolean comesToRest(long now) {
        if (in.isUnheard(now) && out.isEmpty()) {
            sendFrame(now);
        }
        return out.isEmpty();
    }

    /** Whether nothing is to be done: only the numbers, and what was refused, must be remembered. */
    boolean isAtRest(long now) {
        return out.isEmpty() && !in.hasAnswer() && !marked && !in.isUnheard(now);
    }

    /** Frees what busier times have left. */
    void shrink() {
        out.shrink();
    }

    long epoch() {
        return out.epoch();
    }

    /** Number of items that wait for a place in a frame, or for an acknowledgement. */
    int load() {
        return out.load();
    }

    /** Whether senders are to wait. True when that has changed; it ends when half of the load is gone. */
    boolean fullChanged(int most) {
        return out.fullChanged(most);
    }

    boolean isFull() {
        return out.isFull();
    }

    /** Sends what fits into the window, and the answer that is due. */
    void flush(long now) {
        while (mayLeave()) {
            sendFrame(now);
        }
        out.noteWindow();
        if (in.mustTell(now)) {
            sayWhatIsHeard();
        }
    }

    /**
     * In a frame without acknowledgement. Said at the end too: a peer that ends then need not assure itself that its
     * answers were heard.
     */
    void sayWhatIsHeard() {
        in.told();
        writer.begin(peer, out.mereAnswer(in.answer()));
        writer.send();
        out.noteSent();
    }

    private void sendFrame(long now) {
        if (!knowsPeer()) {
            out.sendEmpty(in.answer(), now);
        } else if (out.sendFrame(in.answer(), in.isUnheard(now), now)) {
            in.toldForSure();
        }
    }

    /** Retransmits; true when no answer came for so long that the channel must begin anew. */
    boolean tick(long now) {
        return out.tick(now);
    }

    /** The peer acknowledges frames. */
    void answered(FrameHead.Answer answer, long now) {
        out.answered(answer, now);
    }

    /**
     * Whether the peer is another lane than before: its region has left, and was started again on its node. Nothing is
     * known to it.
     */
    boolean meetsAnother(FrameHead head) {
        boolean another = in.meetsAnother(head);
        if (another) {
            out.answeredByAnother(head.answer());
            in.begin(head);
        }
        return another;
    }

    /**
     * Whether the frame comes from a lane that was in the peer's place before: nothing of it counts, not even what it
     * acknowledges.
     */
    boolean isOutlived(FrameHead head) {
        return in.isOutlived(head);
    }

    /** Whether the peer sends on without having heard of more frames than a sender may have under way. */
    boolean isBeyondWindow(FrameHead head) {
        return in.isBeyondWindow(head);
    }

    /** Whether an incoming frame is the next one; its items are to be taken then, and only then. */
    boolean isNext(FrameHead head) {
        return in.isNext(head);
    }

    /** Takes the items of the next frame; see {@link InChannel#take}. */
    void take(FrameHead head, List<FrameItem> items, Predicate<FrameItem> taker, long now) {
        in.take(head, items, taker, now);
    }

    /** Takes messages out again that were not sent yet, in their order. */
    List<Envelope> takeUnsent(Predicate<Envelope> which) {
        return out.takeUnsent(which);
    }

    /**
     * Begins anew: the outcome of the frames under way stays unknown.
     *
     * @return the messages in them
     */
    List<Envelope> reset() {
        in.forgetUnheard();
        return out.reset();
    }

    /** Forgets what is not a message: answers and drain notes for a peer that is gone, or was never heard. */
    void dropUnsentItems() {
        out.dropUnsentItems();
    }
}
