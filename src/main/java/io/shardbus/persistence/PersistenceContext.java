package io.shardbus.persistence;

import io.shardbus.EntityContext;
import io.shardbus.model.CommandId;
import java.time.Instant;
import java.util.Optional;

/**
 * Handle of an instance of a persistent entity on itself: its sequence number, the id of the command that it handles,
 * and its reminders.
 */
public interface PersistenceContext<M> extends EntityContext<M> {
    /**
     * The number of the entity's last event before the command, 0 before the first event; in an action, the number of
     * the last event of its command. For a durable state, the revision of the state. The number never decreases: a
     * deletion has a number, too.
     */
    long sequenceNumber();

    /** The id of the command that is being handled, if its sender gave it one. */
    Optional<CommandId> commandId();

    /**
     * Sets a reminder: at that time the entity gets the message, also after a passivation, a crash and a full stop. The
     * reminder is stored together with the events or the state of the command; a command that sets a reminder and
     * stores nothing else fails. An entity has one reminder of each name: setting it again replaces it. The message is
     * delivered at least once, by {@code io.shardbus.reminder.Reminders}, which has to be started. May be called only
     * in {@code handle}, before {@code handle} returns. An exception of this method fails the ask, as each exception of
     * {@code handle} does.
     *
     * @param name 1 to 200 characters
     * @param at by the wall clock, in whole milliseconds; a time that has passed is due at once
     * @param message one that the type accepts, of at most {@code maxPayloadBytes}
     * @throws IllegalArgumentException for another name, for a message that is too large, and for a time whose
     *     milliseconds since 1970 do not fit in a {@code long}
     * @throws IllegalStateException outside of {@code handle}
     */
    void remind(String name, Instant at, M message);

    /** Cancels a reminder, under the conditions of {@link #remind}; has no effect if there is none. */
    void cancelReminder(String name);
}
