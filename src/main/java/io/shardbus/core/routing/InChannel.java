package io.shardbus.core.routing;

import io.shardbus.core.hosting.LaneSettings;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.FrameHead;
import io.shardbus.core.protocol.FrameItem;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The frames from one lane of another node to this lane, and what the peer must be told of them: the next number is
 * taken, a lower one is acknowledged again, a higher one is dropped.
 */
final class InChannel {
    /** Messages that were not taken, kept until the sender has learned of it. */
    private record Refusal(FrameHead.Bounce bounce, Set<Integer> shards) {}

    /**
     * Longest delay in milliseconds, and largest number of frames, before frames that hold only answers are
     * acknowledged; most often a frame with items leaves before.
     */
    private static final int TELL_AFTER = 5;

    private static final int MOST_UNTOLD = 8;

    /** Bits of an epoch that count the channels begun within one millisecond; the bits above them are that time. */
    static final int EPOCH_BITS = 20;

    /** Frames that a sender has under way at most: the maximum of the option {@code frameWindow}. */
    static final int LARGEST_WINDOW = 4096;

    private final LaneSettings settings;
    private final ArrayDeque<Refusal> refusals = new ArrayDeque<>();
    private long peerLife = -1;
    private long epoch;
    private long received;
    private boolean answerDue;
    private int untold;
    private long tellAt;
    /** End of the time in which the peer may wait for an answer that is not known to have arrived. */
    private long unheardUntil = Long.MIN_VALUE;

    InChannel(LaneSettings settings) {
        this.settings = settings;
    }

    /** Whether a frame of the peer has ever come: only then is it known which lane in its place takes what is sent. */
    boolean knowsPeer() {
        return peerLife >= 0;
    }

    /** Whether the peer is to be told what was received, in this burst or soon. */
    boolean hasAnswer() {
        return answerDue || untold > 0;
    }

    /** Whether the peer must be told now, though no frame leaves. */
    boolean mustTell(long now) {
        return answerDue || untold > 0 && now >= tellAt;
    }

    /** Whether the peer has sent messages, may still wait for their answer, and may not have received it. */
    boolean isUnheard(long now) {
        return now < unheardUntil;
    }

    FrameHead.Answer answer() {
        List<FrameHead.Bounce> bounces = refusals.isEmpty()
                ? List.of()
                : refusals.stream().map(Refusal::bounce).toList();
        return epoch == 0 ? FrameHead.Answer.NOTHING : new FrameHead.Answer(epoch, received, bounces);
    }

    /** The answer has left in a frame that is not acknowledged. */
    void told() {
        answerDue = false;
        untold = 0;
    }

    /** The answer has left in a frame that the peer must acknowledge. */
    void toldForSure() {
        told();
        forgetUnheard();
    }

    /** The peer waits for no answer any more. */
    void forgetUnheard() {
        unheardUntil = Long.MIN_VALUE;
    }

    /** Whether the peer is another lane than before: its region has left, and was started again on its node. */
    boolean meetsAnother(FrameHead head) {
        long life = head.epoch() >>> EPOCH_BITS;
        boolean another = peerLife >= 0 && life > peerLife;
        peerLife = Math.max(peerLife, life);
        return another;
    }

    /** Nothing that was received before comes from the present lane of the peer. */
    void begin(FrameHead head) {
        epoch = head.epoch();
        received = 0;
        refusals.clear();
    }

    /**
     * Whether the frame comes from a lane that was in the peer's place before: nothing of it counts, not even what it
     * acknowledges.
     */
    boolean isOutlived(FrameHead head) {
        return head.epoch() >>> EPOCH_BITS < peerLife;
    }

    /**
     * Whether the peer sends on without having heard of more frames than a sender may have under way: what was refused
     * of them would be kept for it without bound.
     */
    boolean isBeyondWindow(FrameHead head) {
        return head.number() > head.answered() + LARGEST_WINDOW;
    }

    /** Whether an incoming frame is the next one; its items are to be taken then, and only then. */
    boolean isNext(FrameHead head) {
        if (head.number() == 0 && head.epoch() == epoch && head.answered() == received) {
            forgetUnheard();
        }
        if (head.number() == 0 || head.epoch() < epoch) {
            return false;
        }
        if (head.epoch() > epoch) {
            begin(head);
        }
        // a frame that came too soon is answered by a lane that is new: its sender, which knew an earlier one, begins
        // anew with it
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
        // before its items: what throws while they are taken must not have the peer's retransmission taken once more
        received = head.number();
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
        tellAt = untold == 0 ? now + TELL_AFTER : tellAt;
        untold++;
        answerDue |= items.isEmpty() || untold > Math.min(MOST_UNTOLD, settings.frameWindow() / 2);
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
}
