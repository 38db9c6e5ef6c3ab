package io.shardbus.runtime.persistence;

import io.shardbus.persistence.spi.ReminderChange;
import io.shardbus.runtime.entity.HostedContext;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The reminders that the command under way has set and cancelled, until it is decided what is stored. One command of an
 * entity is decided on at a time, on one thread after the other, each of which hands it on.
 */
final class SetReminders {
    /** No command is being decided: no reminder may be set or cancelled. */
    static final SetReminders CLOSED = new SetReminders(false, Map.of());

    /** A command is being decided, and has set or cancelled no reminder yet. */
    static final SetReminders OPEN = new SetReminders(true, Map.of());

    private static final int LONGEST_NAME = 200;

    private final boolean isOpen;
    /** Immutable while it is empty. */
    private final Map<String, ReminderChange> changes;

    private SetReminders(boolean isOpen, Map<String, ReminderChange> changes) {
        this.isOpen = isOpen;
        this.changes = changes;
    }

    /**
     * A copy with one more reminder. Its message is kept as the type's codec writes it.
     *
     * @param isInAction whether an action after an earlier command runs
     * @throws IllegalArgumentException if the object is no message of the type, or too large to travel to its entity
     */
    SetReminders set(HostedContext host, boolean isInAction, String name, Instant at, Object message) {
        Buffer bytes = Buffer.buffer();
        host.payloads().encodeMessage(message, bytes);
        if (bytes.length() > host.maxPayloadBytes()) {
            throw new IllegalArgumentException("the message of the reminder '" + name + "' has " + bytes.length()
                    + " bytes, and would not reach its entity: maxPayloadBytes is " + host.maxPayloadBytes());
        }
        host.payloads().decodeMessage(bytes, 0, bytes.length());
        return with(isInAction, new ReminderChange(checked(name), due(name, at), bytes));
    }

    private static long due(String name, Instant at) {
        try {
            return Math.max(1, at.toEpochMilli());
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    "the reminder '" + name + "' is set for " + at + ": a time has at most "
                            + Instant.ofEpochMilli(Long.MAX_VALUE),
                    e);
        }
    }

    SetReminders cancel(boolean isInAction, String name) {
        return with(isInAction, new ReminderChange(checked(name), 0, null));
    }

    private SetReminders with(boolean isInAction, ReminderChange change) {
        if (!isOpen || isInAction) {
            throw new IllegalStateException("a reminder (" + change.name() + ") is set or cancelled in handle, with an"
                    + " event or a state; neither in recovered nor in an action after a command");
        }
        SetReminders own = changes.isEmpty() ? new SetReminders(true, new LinkedHashMap<>()) : this;
        own.changes.put(change.name(), change);
        return own;
    }

    private static String checked(String name) {
        if (Objects.requireNonNull(name, "name").isEmpty() || name.length() > LONGEST_NAME || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("the name of a reminder has 1 to " + LONGEST_NAME + " characters");
        }
        return name;
    }

    List<ReminderChange> list() {
        return List.copyOf(changes.values());
    }

    /** A command that stores nothing cannot set or cancel a reminder. */
    void requireNone() {
        if (!changes.isEmpty()) {
            String names = String.join(", ", changes.keySet());
            throw new IllegalStateException(
                    "a reminder (" + names + ") is set or cancelled with an event or a state, and"
                            + " this command stores nothing: persist or save something with it");
        }
    }
}
