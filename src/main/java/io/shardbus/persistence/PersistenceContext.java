package io.shardbus.persistence;

import io.shardbus.EntityContext;
import io.shardbus.model.CommandId;
import java.time.Instant;
import java.util.Optional;

/**
 * Handle of an instance of a persistent entity on itself: its sequence number, the id of the command in hand, and
 * its reminders.
 */
public interface PersistenceContext<M> extends EntityContext<M> {
    /**
     * The number of the entity's last event before the command, 0 before the first; in an action, of the last event of
     * its command; the revision of a durable state. It does not fall: a deletion has a number, too.
     */
    long sequenceNumber();

    /** The id of the command that is handled, if its sender gave it one. */
    Optional<CommandId> commandId();

    /**
     * Sets a reminder: at that time the entity gets the message, also after a passivation, a crash and a full stop. It
     * is stored with the events or the state of the command that is handled, all or nothing; a command that stores
     * nothing fails. An entity has one reminder of each name: setting it again replaces it. Delivered at least once, by
     * {@code io.shardbus.reminder.Reminders}, which has to be started; only in {@code handle}, before it returns.
     *
     * @param name 1 to 200 characters
     * @param at by the wall clock; a time that has passed is due at once
     */
    void remind(String name, Instant at, M message);

    /** Cancels a reminder, as {@link #remind} sets it; harmless where there is none. */
    void cancelReminder(String name);
}
