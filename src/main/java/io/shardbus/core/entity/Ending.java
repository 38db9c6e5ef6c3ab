package io.shardbus.core.entity;

import io.shardbus.model.StopReason;
import org.jspecify.annotations.Nullable;

/**
 * The end that an instance is to come to: it is passivated once it has handled so many more messages, or it stops for a
 * reason as soon as its code allows. An instance that stays has none.
 */
final class Ending {
    private final @Nullable StopReason reason;
    private final boolean successor;
    private int messages;

    private Ending(@Nullable StopReason reason, boolean successor, int messages) {
        this.reason = reason;
        this.successor = successor;
        this.messages = messages;
    }

    /** The instance is passivated after so many messages, or when no message waits. */
    static Ending afterMessages(int messages) {
        return new Ending(null, false, messages);
    }

    /** It stops; no message is taken before. */
    static Ending of(StopReason reason) {
        return new Ending(reason, false, 0);
    }

    /** It stops as for a passivation, and another instance begins. */
    static Ending withSuccessor() {
        return new Ending(StopReason.PASSIVATION, true, 0);
    }

    /** Null while it is only to be passivated. */
    @Nullable
    StopReason reason() {
        return reason;
    }

    boolean hasSuccessor() {
        return successor;
    }

    boolean mayTakeMore() {
        return messages > 0;
    }

    /** One more message is taken up before the end. */
    void taken() {
        messages--;
    }

    /** Whether it is passivated now, when so many messages wait. */
    boolean isPutAway(int waiting) {
        return messages == 0 || waiting == 0;
    }
}
