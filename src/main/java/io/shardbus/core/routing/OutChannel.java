package io.shardbus.core.routing;

import io.shardbus.core.hosting.LaneSettings;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.FrameHead;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.model.ConnectionReport.Flow;
import io.shardbus.model.ConnectionReport.Outbox;
import io.shardbus.model.FailureCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The frames from this lane to one lane of another node: numbered, a window of them under way, retransmitted unchanged
 * while they are not acknowledged.
 */
final class OutChannel {
    private record Sent(long number, List<FrameItem> items, Object encoded) {}

    private final PeerLane peer;
    private final LaneSettings settings;
    private final FrameWriter writer;
    private final Channel.Listener listener;

    private ArrayDeque<FrameItem> outbox = new ArrayDeque<>();
    private ArrayDeque<Sent> underWay = new ArrayDeque<>();
    private long epoch;
    private long lastNumber;
    private long answeredUpTo;
    private long repeatAt;
    private long repeatPause;
    private long silentSince;
    private int unanswered;
    private boolean full;
    private boolean heldUp;
    /** Whether an item was ever sent: a channel that only greets and acknowledges needs no connection of its own. */
    private boolean carries;

    private long frames;
    private long bytes;
    private long repeated;
    private long windowFull;
    /** The frame whose acknowledgement is timed; 0 for none. */
    private long timed;

    private long timedAt;
    private long roundTrip = -1;

    OutChannel(PeerLane peer, long epoch, LaneSettings settings, FrameWriter writer, Channel.Listener listener) {
        this.peer = peer;
        this.epoch = epoch;
        this.settings = settings;
        this.writer = writer;
        this.listener = listener;
    }

    void add(FrameItem item) {
        outbox.add(item);
    }

    long epoch() {
        return epoch;
    }

    /** Notes whether items wait as the window is full; at the end of a burst. */
    void noteWindow() {
        boolean now = !outbox.isEmpty() && underWay.size() >= settings.frameWindow();
        windowFull += now && !heldUp ? 1 : 0;
        heldUp = now;
    }

    /** The writer has sent a frame. */
    void noteSent() {
        frames++;
        bytes += writer.bytes();
    }

    Flow sent() {
        return new Flow(frames, bytes);
    }

    Outbox outbox() {
        return new Outbox(outbox.size(), unanswered, windowFull, repeated);
    }

    boolean carries() {
        return carries;
    }

    long repeated() {
        return repeated;
    }

    long windowFull() {
        return windowFull;
    }

    /** Round-trip time of the last frame that was timed, in milliseconds; -1 if none was. */
    long roundTrip() {
        return roundTrip;
    }

    /** Whether a frame may leave now. */
    boolean mayLeave() {
        return !outbox.isEmpty() && underWay.size() < settings.frameWindow();
    }

    /** Whether items wait, and no frame asks the peer for its answer yet. */
    boolean mayAsk() {
        return !outbox.isEmpty() && underWay.isEmpty();
    }

    /** Whether nothing waits for an acknowledgement or for a place in the window. */
    boolean isEmpty() {
        return underWay.isEmpty() && outbox.isEmpty();
    }

    /** Frees what busier times have left. */
    void shrink() {
        outbox = new ArrayDeque<>(0);
        underWay = new ArrayDeque<>(0);
    }

    /** Number of items that wait for a place in a frame, or for an acknowledgement. */
    int load() {
        return outbox.size() + unanswered;
    }

    /** Whether senders are to wait. True when that has changed; it ends when half of the load is gone. */
    boolean fullChanged(int most) {
        boolean now = load() >= (full ? most / 2 + 1 : most);
        boolean changed = now != full;
        full = now;
        return changed;
    }

    boolean isFull() {
        return full;
    }

    /** The head of a frame that carries the answer alone and is not acknowledged. */
    FrameHead mereAnswer(FrameHead.Answer answer) {
        return new FrameHead(epoch, 0, answeredUpTo, answer);
    }

    /**
     * Sends the next frame; false when there was nothing to send.
     *
     * @param evenEmpty whether a frame without items is to leave as well
     */
    boolean sendFrame(FrameHead.Answer answer, boolean evenEmpty, long now) {
        List<FrameItem> items = new ArrayList<>(Math.min(outbox.size(), settings.frameMessages()));
        writer.begin(peer, new FrameHead(epoch, lastNumber + 1, answeredUpTo, answer));
        append(items);
        if (items.isEmpty() && !evenEmpty) {
            return false;
        }
        send(items, now);
        return true;
    }

    /** Sends a frame without items, which the peer must acknowledge. */
    void sendEmpty(FrameHead.Answer answer, long now) {
        writer.begin(peer, new FrameHead(epoch, lastNumber + 1, answeredUpTo, answer));
        send(List.of(), now);
    }

    private void send(List<FrameItem> items, long now) {
        if (underWay.isEmpty()) {
            awaitAnswer(now);
        }
        Object encoded = writer.send();
        underWay.add(new Sent(++lastNumber, items, encoded));
        noteSent();
        if (timed == 0) {
            timed = lastNumber;
            timedAt = now;
        }
        unanswered += items.size();
        carries |= !items.isEmpty();
    }

    /**
     * Moves what fits from the outbox into the frame, and one item in any case: the head alone may reach the limit. If
     * that throws, what is in the frame has not left its place.
     */
    private void append(List<FrameItem> items) {
        boolean whole = false;
        try {
            while (!outbox.isEmpty() && hasRoom(items)) {
                FrameItem item = outbox.remove();
                Failure failure = append(item);
                if (failure == null) {
                    items.add(item);
                } else {
                    listener.unsendable(item, failure);
                }
            }
            whole = true;
        } finally {
            for (int i = whole ? -1 : items.size() - 1; i >= 0; i--) {
                outbox.addFirst(items.get(i));
            }
        }
    }

    private boolean hasRoom(List<FrameItem> items) {
        return items.isEmpty() || (items.size() < settings.frameMessages() && !writer.isFull());
    }

    /** An item whose writing throws is as one that cannot be encoded: no later frame is tried with it. */
    private @Nullable Failure append(FrameItem item) {
        boolean returned = false;
        try {
            Failure failure = writer.append(item);
            returned = true;
            return failure;
        } finally {
            if (!returned) {
                listener.unsendable(item, Failure.of(FailureCode.PAYLOAD_NOT_ENCODABLE, "encoding it has thrown"));
            }
        }
    }

    private void awaitAnswer(long now) {
        silentSince = now;
        repeatPause = settings.repeatInterval();
        repeatAt = now + repeatPause;
    }

    /** Retransmits; true when no answer came for so long that the channel must begin anew. */
    boolean tick(long now) {
        if (underWay.isEmpty() || now < repeatAt) {
            return false;
        }
        if (now - silentSince >= settings.giveUpAfter()) {
            return true;
        }
        repeatPause = Math.min(repeatPause * 2, settings.giveUpAfter() / 4 + 1);
        repeatAt = now + repeatPause;
        // an acknowledgement that comes now may be one of the first frame or of the one that repeats it
        timed = 0;
        for (Sent sent : underWay) {
            writer.repeat(peer, sent.encoded());
            noteSent();
            repeated++;
        }
        return false;
    }

    /** The peer acknowledges frames. */
    void answered(FrameHead.Answer answer, long now) {
        if (answer.epoch() != epoch) {
            return;
        }
        if (timed != 0 && timed <= answer.received()) {
            roundTrip = now - timedAt;
            timed = 0;
        }
        while (!underWay.isEmpty() && underWay.element().number() <= answer.received()) {
            Sent sent = underWay.remove();
            unanswered -= sent.items().size();
            answeredUpTo = sent.number();
            awaitAnswer(now);
            settle(sent, bouncedItems(answer, sent.number()));
        }
    }

    /**
     * A lane that is new in the peer's place acknowledges frames that went to an earlier one or to it. Frames that it
     * acknowledges without refused items are delivered. Of the others the earlier lane may have executed messages that
     * this one refuses.
     */
    void answeredByAnother(FrameHead.Answer answer) {
        while (answer.epoch() == epoch
                && !underWay.isEmpty()
                && underWay.element().number() <= answer.received()
                && bouncedItems(answer, underWay.element().number()).isEmpty()) {
            Sent sent = underWay.remove();
            unanswered -= sent.items().size();
            settle(sent, List.of());
        }
    }

    private static List<Integer> bouncedItems(FrameHead.Answer answer, long number) {
        for (FrameHead.Bounce bounce : answer.bounces()) {
            if (bounce.frame() == number) {
                return bounce.items();
            }
        }
        return List.of();
    }

    private void settle(Sent sent, List<Integer> bounced) {
        int nextBounced = 0;
        for (int i = 0; i < sent.items().size(); i++) {
            boolean taken = nextBounced >= bounced.size() || bounced.get(nextBounced) != i;
            nextBounced += taken ? 0 : 1;
            if (sent.items().get(i) instanceof Envelope envelope) {
                listener.answered(envelope, taken);
            }
        }
    }

    /** Takes messages out again that were not sent yet, in their order. */
    List<Envelope> takeUnsent(Predicate<Envelope> which) {
        List<Envelope> unsent = new ArrayList<>();
        for (Iterator<FrameItem> items = outbox.iterator(); items.hasNext(); ) {
            if (items.next() instanceof Envelope envelope && which.test(envelope)) {
                items.remove();
                unsent.add(envelope);
            }
        }
        return unsent;
    }

    /**
     * Begins anew: the outcome of the frames under way stays unknown.
     *
     * @return the messages in them
     */
    List<Envelope> reset() {
        List<Envelope> lost = underWay.stream()
                .flatMap(sent -> sent.items().stream())
                .filter(Envelope.class::isInstance)
                .map(Envelope.class::cast)
                .toList();
        underWay.clear();
        unanswered = 0;
        epoch++;
        timed = 0;
        lastNumber = 0;
        answeredUpTo = 0;
        return lost;
    }

    /** Forgets what is not a message: answers and drain notes for a peer that is gone, or was never heard. */
    void dropUnsentItems() {
        outbox.clear();
    }
}
