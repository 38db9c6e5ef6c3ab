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
    private static final int LONGEST_NAME = 200;

    /** Whether the command under way may set and cancel some: until it is decided what is stored. */
    private boolean isOpen;
    /** Shared and immutable while it is empty. */
    private Map<String, ReminderChange> changes = Map.of();

    /** A command is about to be decided on. */
    void open() {
        isOpen = true;
    }

    /**
     * Its message is kept as the type's codec writes it; fails for what is no message of the type.
     *
     * @param isInAction whether an action after an earlier command runs
     */
    void set(HostedContext host, boolean isInAction, String name, Instant at, Object message) {
        Buffer bytes = Buffer.buffer();
        host.payloads().encodeMessage(message, bytes);
        host.payloads().decodeMessage(bytes, 0, bytes.length());
        add(isInAction, new ReminderChange(checked(name), Math.max(1, at.toEpochMilli()), bytes));
    }

    void cancel(boolean isInAction, String name) {
        add(isInAction, new ReminderChange(checked(name), 0, null));
    }

    private void add(boolean isInAction, ReminderChange change) {
        if (!isOpen || isInAction) {
            throw new IllegalStateException("a reminder (" + change.name() + ") is set or cancelled in handle, with an"
                    + " event or a state; neither in recovered nor in an action after a command");
        }
        if (changes.isEmpty()) {
            changes = new LinkedHashMap<>();
        }
        changes.put(change.name(), change);
    }

    private static String checked(String name) {
        if (Objects.requireNonNull(name, "name").isEmpty() || name.length() > LONGEST_NAME || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("the name of a reminder has 1 to " + LONGEST_NAME + " characters");
        }
        return name;
    }

    /** Another command begins: what the one before has set and not stored is void. */
    void clear() {
        changes = Map.of();
        isOpen = false;
    }

    List<ReminderChange> take() {
        List<ReminderChange> taken = List.copyOf(changes.values());
        clear();
        return taken;
    }

    /** A command that stores nothing cannot set or cancel a reminder. */
    void requireNone() {
        if (changes.isEmpty()) {
            clear();
        } else {
            String names = String.join(", ", changes.keySet());
            clear();
            throw new IllegalStateException(
                    "a reminder (" + names + ") is set or cancelled with an event or a state, and"
                            + " this command stores nothing: persist or save something with it");
        }
    }
}
