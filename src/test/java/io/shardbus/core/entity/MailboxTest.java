package io.shardbus.core.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.model.FailureCode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What waits for an entity, and what its owner hears of that; two messages fit. */
class MailboxTest extends CellFixture {
    private final Mailbox mailbox = new Mailbox("e", owner);

    @Test
    void countsWhatWaits() {
        assertTrue(mailbox.keep(tell(1)));
        assertTrue(mailbox.keep(tell(2)));
        assertFalse(mailbox.keep(tell(3)));
        assertEquals(List.of("3 failed MAILBOX_FULL"), log);
        assertEquals(2, owner.waiting);
        assertEquals(1, next().payload());
        assertEquals(1, owner.waiting);
        next();
        assertNull(mailbox.next(code));
        assertEquals(0, owner.waiting);
    }

    private Envelope next() {
        Envelope next = mailbox.next(code);
        assertTrue(next != null, "a message waits");
        return next;
    }

    @Test
    void tellsHowLongTheNextMessageHasWaitedButNotAStart() {
        mailbox.keep(tell(Envelope.START));
        mailbox.keep(tell(1));
        owner.now = 7;
        next();
        assertEquals(List.of(), code.waits);
        next();
        assertEquals(List.of(7L), code.waits);
    }

    @Test
    void whatIsStashedDoesNotWaitUntilItIsBack() {
        mailbox.keep(tell(2));
        mailbox.stash(tell(0));
        mailbox.stash(tell(1));
        assertEquals(1, owner.waiting);
        assertEquals(1, owner.stashing, "one entity has a stash");
        mailbox.unstash();
        assertEquals(3, owner.waiting);
        assertEquals(0, owner.stashing);
        assertEquals(List.of(0, 1, 2), List.of(next().payload(), next().payload(), next().payload()));
        assertTrue(mailbox.isEmpty());
    }

    @Test
    void aStashThatIsDiscardedFails() {
        mailbox.keep(tell(2));
        mailbox.stash(tell(1));
        mailbox.failStash();
        assertEquals(List.of("1 failed ENTITY_STOPPED"), log);
        assertEquals(0, owner.stashing);
        assertEquals(1, owner.waiting);
    }

    @Test
    void allFailsInTheOrderInWhichItWouldBeHandled() {
        mailbox.keep(tell(2));
        mailbox.stash(tell(1));
        mailbox.failAll(Failure.of(FailureCode.SHUTTING_DOWN, "the end"));
        assertEquals(List.of("1 failed SHUTTING_DOWN", "2 failed SHUTTING_DOWN"), log);
        assertEquals(0, owner.waiting);
        assertEquals(0, owner.stashing);
    }
}
