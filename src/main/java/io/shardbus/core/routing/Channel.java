package io.shardbus.core.routing;

import io.shardbus.core.hosting.LaneSettings;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.FrameHead;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.PeerLane;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The ordered pair of channels between this lane and one lane of another node. Outgoing: frames are numbered, a window
 * of them is under way, and one that is not answered is repeated unchanged. Incoming: the next number is taken, a lower
 * one is answered again, a higher one is dropped.
 */
final class Channel {
    /** What a channel tells its lane. */
    interface Listener {
        /** The item could not be put into a frame. */
        void unsendable(FrameItem item, Failure failure);

        /** The receiver has taken the message, or refused it unexecuted. */
        void answered(Envelope envelope, boolean taken);
    }

    private record Sent(long number, List<FrameItem> items, Object encoded) {}

    /** Messages that were not taken, until the sender has heard of it. */
    private record Refusal(FrameHead.Bounce bounce, Set<Integer> shards) {}

    /**
     * That mere answers were heard can be said so late, in milliseconds, or after so many frames; most often one leaves
     * before.
     */
    private static final int SAY_AFTER = 5;

    private static final int MOST_UNSAID = 8;

    /** The epochs of a lane in each millisecond that it exists; what is above these bits is when it began. */
    static final int EPOCH_BITS = 20;

    final PeerLane peer;

    /** Whether it is noted that something may be to be sent; see {@link Channels}. */
    boolean marked;

    private final LaneSettings settings;
    private final FrameWriter writer;
    private final Listener listener;

    private ArrayDeque<FrameItem> outbox = new ArrayDeque<>();
    private ArrayDeque<Sent> underWay = new ArrayDeque<>();
    private long epoch;
    private long lastNumber;
    private long answeredUpTo;
    private long repeatAt;
    private long repeatPause;
    private long silentSince;
    private long peerLife = -1;
    private long inEpoch;
    private long received;
    private final ArrayDeque<Refusal> refusals = new ArrayDeque<>();
    private boolean answerDue;
    private int unsaid;
    private long sayAt;
    private int unanswered;
    private long unheardUntil = Long.MIN_VALUE;
    private boolean full;

    /**
     * @param epoch greater than that of any earlier channel of this node to the same lane: the peer may remember that
     * one's numbers
     */
    Channel(PeerLane peer, long epoch, LaneSettings settings, FrameWriter writer, Listener listener) {
        this.peer = peer;
        this.epoch = epoch;
        this.settings = settings;
        this.writer = writer;
        this.listener = listener;
    }

    void add(FrameItem item) {
        outbox.add(item);
    }

    boolean hasWork() {
        return answerDue || unsaid > 0 || !outbox.isEmpty() && underWay.size() < settings.frameWindow();
    }

    /**
     * Whether nothing waits for an answer or for a place in the window. Who is about to end also sees to it that a peer
     * that has sent messages, and may not have given up, knows what was taken: an answer alone may come after the end,
     * so a frame goes that the peer must answer itself.
     */
    boolean comesToRest(long now) {
        if (now < unheardUntil && underWay.isEmpty() && outbox.isEmpty()) {
            sendFrame(now);
        }
        return underWay.isEmpty() && outbox.isEmpty();
    }

    /** Whether nothing is to be done: only the numbers, and what was refused, must be remembered. */
    boolean isAtRest(long now) {
        return underWay.isEmpty() && outbox.isEmpty() && !answerDue && unsaid == 0 && !marked && now >= unheardUntil;
    }

    /** Frees what busier times have left. */
    void shrink() {
        outbox = new ArrayDeque<>(0);
        underWay = new ArrayDeque<>(0);
    }

    long epoch() {
        return epoch;
    }

    /** What waits for a place in a frame, or for an answer. */
    int load() {
        return outbox.size() + unanswered;
    }

    /** Whether senders are to wait. True when that has changed; it ends when half of it is gone. */
    boolean fullChanged(int most) {
        boolean now = load() >= (full ? most / 2 + 1 : most);
        boolean changed = now != full;
        full = now;
        return changed;
    }

    boolean isFull() {
        return full;
    }

    /** Sends what fits into the window, and the answer that is due. */
    void flush(long now) {
        while (!outbox.isEmpty() && underWay.size() < settings.frameWindow()) {
            sendFrame(now);
        }
        if (answerDue || unsaid > 0 && now >= sayAt) {
            sayWhatIsHeard();
        }
    }

    /**
     * In a frame without acknowledgement. Said at the end too: a peer that ends then need not assure itself that its
     * answers were heard.
     */
    void sayWhatIsHeard() {
        answerDue = false;
        unsaid = 0;
        writer.begin(peer, new FrameHead(epoch, 0, answeredUpTo, answer()));
        writer.send();
    }

    private void sendFrame(long now) {
        List<FrameItem> items = new ArrayList<>(Math.min(outbox.size(), settings.frameMessages()));
        writer.begin(peer, new FrameHead(epoch, lastNumber + 1, answeredUpTo, answer()));
        while (!outbox.isEmpty() && items.size() < settings.frameMessages() && !writer.isFull()) {
            FrameItem item = outbox.remove();
            Failure failure = writer.append(item);
            if (failure == null) {
                items.add(item);
            } else {
                listener.unsendable(item, failure);
            }
        }
        if (items.isEmpty() && now >= unheardUntil) {
            return;
        }
        answerDue = false;
        unsaid = 0;
        unheardUntil = Long.MIN_VALUE;
        if (underWay.isEmpty()) {
            silentSince = now;
            repeatPause = settings.repeatInterval();
            repeatAt = now + repeatPause;
        }
        underWay.add(new Sent(++lastNumber, items, writer.send()));
        unanswered += items.size();
    }

    private FrameHead.Answer answer() {
        List<FrameHead.Bounce> bounces = refusals.stream().map(Refusal::bounce).toList();
        return inEpoch == 0 ? FrameHead.Answer.NOTHING : new FrameHead.Answer(inEpoch, received, bounces);
    }

    /** Repeats what was not answered; true when nothing was answered for so long that the channel must begin anew. */
    boolean tick(long now) {
        if (underWay.isEmpty() || now < repeatAt) {
            return false;
        }
        if (now - silentSince >= settings.giveUpAfter()) {
            return true;
        }
        repeatPause = Math.min(repeatPause * 2, settings.giveUpAfter() / 4 + 1);
        repeatAt = now + repeatPause;
        for (Sent sent : underWay) {
            writer.repeat(peer, sent.encoded());
        }
        return false;
    }

    /** The other side's word on the frames sent to it. */
    void answered(FrameHead.Answer answer, long now) {
        if (answer.epoch() != epoch) {
            return;
        }
        while (!underWay.isEmpty() && underWay.element().number() <= answer.received()) {
            Sent sent = underWay.remove();
            unanswered -= sent.items().size();
            answeredUpTo = sent.number();
            silentSince = now;
            repeatPause = settings.repeatInterval();
            repeatAt = now + repeatPause;
            settle(sent, bouncedItems(answer, sent.number()));
        }
    }

    /**
     * The word of a lane that is new in the peer's place, on frames that went to an earlier one or to it: those that it
     * has taken whole it has. Of others the earlier one may have executed what this one refuses.
     */
    private void answeredByAnother(FrameHead.Answer answer) {
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

    /**
     * Whether the peer is another lane than before: its region has left, and was started again on its node. Nothing is
     * known to it.
     */
    boolean meetsAnother(FrameHead head) {
        long life = head.epoch() >>> EPOCH_BITS;
        boolean another = peerLife >= 0 && life > peerLife;
        peerLife = Math.max(peerLife, life);
        if (another) {
            answeredByAnother(head.answer());
            inEpoch = head.epoch();
            received = 0;
            refusals.clear();
        }
        return another;
    }

    /**
     * Whether the frame comes from a lane that was in the peer's place before: nothing of it counts, not even what it
     * has heard.
     */
    boolean isOutlived(FrameHead head) {
        return head.epoch() >>> EPOCH_BITS < peerLife;
    }

    /** Whether an incoming frame is the next one; its items are to be taken then, and only then. */
    boolean isNext(FrameHead head) {
        if (head.number() == 0 && head.epoch() == inEpoch && head.answered() == received) {
            unheardUntil = Long.MIN_VALUE;
        }
        if (head.number() == 0 || head.epoch() < inEpoch) {
            return false;
        }
        if (head.epoch() > inEpoch) {
            inEpoch = head.epoch();
            received = 0;
            refusals.clear();
        }
        // one that came too soon is answered by a lane that is new: its sender, who knew an earlier one, begins anew
        // with it
        answerDue |= head.number() <= received || (received == 0 && head.number() > 1);
        if (head.number() > received + 1) {
            return false;
        }
        return head.number() == received + 1;
    }

    /**
     * Takes the items of the next frame. Once a message for a shard was not taken, no later one is until the sender has
     * heard of it: those that it sent in between would overtake the one that went back. Only the next frame tells what
     * the sender had heard of: one that came too soon was sent later than those that are still to come.
     */
    void take(FrameHead head, List<FrameItem> items, Predicate<FrameItem> taker, long now) {
        while (!refusals.isEmpty() && refusals.element().bounce().frame() <= head.answered()) {
            refusals.remove();
        }
        unheardUntil = head.answered() == received ? Long.MIN_VALUE : unheardUntil;
        List<Integer> bounced = new ArrayList<>(0);
        Set<Integer> shards = new HashSet<>(0);
        for (int i = 0; i < items.size(); i++) {
            FrameItem item = items.get(i);
            if (isHeld(item, shards) || !taker.test(item)) {
                bounced.add(i);
                shards.add(((Envelope) item).shard());
            }
            answerDue |= !(item instanceof FrameItem.Reply);
            unheardUntil = item instanceof Envelope ? now + settings.giveUpAfter() : unheardUntil;
        }
        received = head.number();
        sayAt = unsaid == 0 ? now + SAY_AFTER : sayAt;
        unsaid++;
        answerDue |= items.isEmpty() || unsaid > Math.min(MOST_UNSAID, settings.frameWindow() / 2);
        if (!bounced.isEmpty()) {
            refusals.add(new Refusal(new FrameHead.Bounce(received, bounced), shards));
        }
    }

    private boolean isHeld(FrameItem item, Set<Integer> refusedNow) {
        if (!(item instanceof Envelope envelope) || (refusedNow.isEmpty() && refusals.isEmpty())) {
            return false;
        }
        int shard = envelope.shard();
        return refusedNow.contains(shard)
                || refusals.stream().anyMatch(refusal -> refusal.shards().contains(shard));
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
        unheardUntil = Long.MIN_VALUE;
        epoch++;
        lastNumber = 0;
        answeredUpTo = 0;
        return lost;
    }

    /** Forgets what is not a message: answers and drain notes for a peer that is gone. */
    void dropUnsentItems() {
        outbox.clear();
    }
}
