package io.shardbus.persistence.spi;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/**
 * The reminders that entities have set. Reminders are set and cancelled with the rows of commits, see {@link
 * EventRow#reminders}; {@link #settle} records deliveries. Any thread; futures complete on the caller's event loop, if
 * it is on one.
 */
public interface ReminderStore {
    /** Number of parts of a type's reminders, by the id of the entity; the workers of the type share the parts. */
    int PARTS = 64;

    /**
     * A reminder.
     *
     * @param id of the entity
     * @param number of the row that set it: the event's sequence number, or the state's revision. A reminder that is
     *     set again counts as another one, even with the same time and message.
     * @param due milliseconds since 1970
     * @param payload the message
     */
    record Reminder(String id, String name, long number, long due, Buffer payload) {}

    /**
     * Outcome of a reminder that was due.
     *
     * @param reminder as it was read
     * @param next when it is due again, milliseconds since 1970; 0: it is done
     */
    record Settled(Reminder reminder, long next) {}

    /** The part of an entity's reminders. */
    static int part(String id) {
        return Math.floorMod(id.hashCode(), PARTS);
    }

    /**
     * The reminders of these parts, in the order of their times.
     *
     * @param type the store's number of the type
     * @param limit how many at most
     */
    Future<List<Reminder>> first(int type, List<Integer> parts, int limit);

    /** The reminders of an entity, in the order of their names. */
    Future<List<Reminder>> of(int type, String id);

    /**
     * Postpones reminders, or ends them; a reminder that was set again or cancelled since it was read stays as it is.
     */
    Future<Void> settle(int type, List<Settled> settled);
}
