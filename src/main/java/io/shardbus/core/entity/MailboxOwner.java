package io.shardbus.core.entity;

import io.shardbus.core.passivation.PassivationNode;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.model.FailureCode;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The owner of a mailbox, which exists only while a message is in it. */
public abstract class MailboxOwner extends PassivationNode {
    private @Nullable Mailbox mailbox;
    private long busyFrom;

    protected MailboxOwner(String id) {
        super(id);
    }

    protected abstract EntityOwner owner();

    /** Messages that wait for their turn, without those that are stashed. */
    public final int waiting() {
        return mailbox == null ? 0 : mailbox.waiting();
    }

    @Override
    protected final boolean isWanted() {
        return waiting() > 0;
    }

    /** Messages that are stashed. */
    public final int stashed() {
        return mailbox == null ? 0 : mailbox.stashed();
    }

    /** For how long the message that is next has waited or been stashed, in milliseconds; 0 where none waits. */
    public final long oldestWait() {
        return waiting() == 0 || mailbox == null ? 0 : owner().now() - mailbox.headFrom();
    }

    final void busyFrom(long now) {
        busyFrom = now;
    }

    /** When it last took up a message or began a start. */
    public final long busyFrom() {
        return busyFrom;
    }

    /** Whether nothing waits and nothing is stashed. */
    final boolean holdsNothing() {
        return mailbox == null || mailbox.isEmpty();
    }

    /** Forgets a mailbox that is empty. */
    final void tidy() {
        if (holdsNothing()) {
            mailbox = null;
        }
    }

    private Mailbox mailbox() {
        Mailbox present = mailbox;
        if (present == null) {
            present = new Mailbox();
            mailbox = present;
        }
        return present;
    }

    /** Lets a message wait; false, and it has failed, if too many do. */
    final boolean keep(Envelope envelope) {
        if (waiting() >= owner().mailboxSize()) {
            refuse(envelope, waiting() + " messages wait for entity '" + id() + "'");
            return false;
        }
        mailbox().add(envelope, owner().now());
        owner().waiting(1);
        return true;
    }

    /** Puts a message aside, or fails it if too many are. */
    final void stash(Envelope envelope) {
        if (!mailbox().stash(envelope, owner().mailboxSize(), owner().now())) {
            refuse(envelope, owner().mailboxSize() + " messages are stashed by entity '" + id() + "'");
        } else if (stashed() == 1) {
            owner().stashing(1);
        }
    }

    private void refuse(Envelope envelope, String why) {
        owner().failed(envelope, Failure.of(FailureCode.MAILBOX_FULL, why));
    }

    final @Nullable Envelope next() {
        if (mailbox == null || mailbox.waiting() == 0) {
            return null;
        }
        long from = mailbox.headFrom();
        Envelope envelope = mailbox.poll();
        if (envelope != null) {
            owner().waiting(-1);
        }
        if (envelope != null && !envelope.isStart()) {
            waited(owner().now() - from);
        }
        return envelope;
    }

    /** The message that is taken up next has waited so many milliseconds. */
    protected void waited(long millis) {}

    /** Puts what is stashed before all that waits. */
    final void bringBack() {
        if (mailbox != null && stashed() > 0) {
            owner().waiting(stashed());
            owner().stashing(-1);
            mailbox.unstash();
        }
    }

    /** Fails what is stashed. */
    public final void failStash() {
        if (mailbox != null && stashed() > 0) {
            owner().stashing(-1);
            Failure failure = Failure.of(FailureCode.ENTITY_STOPPED, "entity '" + id() + "' discarded its stash");
            failAll(mailbox.takeStashed(), failure);
        }
    }

    /** Takes what waits and what is stashed out of the mailbox and fails it. */
    public final void failWaiting(FailureCode code, String message, @Nullable String entityCode) {
        Mailbox held = mailbox;
        if (held != null) {
            owner().waiting(-waiting());
            owner().stashing(stashed() > 0 ? -1 : 0);
            mailbox = null;
            failAll(held.takeAll(), new Failure(code, message, entityCode));
        }
    }

    private void failAll(Collection<Envelope> envelopes, Failure failure) {
        for (Envelope envelope : envelopes) {
            owner().failed(envelope, failure);
        }
    }
}
