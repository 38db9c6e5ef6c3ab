package io.shardbus.simulation.stored;

import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.ReminderChange;
import io.shardbus.persistence.spi.ReminderStore.Reminder;
import io.shardbus.persistence.spi.ReminderStore.Settled;
import io.shardbus.simulation.Violation.Kind;
import io.vertx.core.buffer.Buffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Rules for reminders: which were set with what is stored, and what became of them. */
final class Reminded {
    private final StoredWorld world;
    /** By entity and name, the commands of the reminders that are set. */
    private final Map<String, Map<String, Long>> set = new TreeMap<>();
    /** By command, when it is due, in milliseconds since 1970. */
    private final Map<Long, Long> due = new HashMap<>();
    /** The commands that took effect. */
    private final Set<Long> rung = new HashSet<>();

    Reminded(StoredWorld world) {
        this.world = world;
    }

    void appended(EventRow row) {
        Map<String, Long> ofEntity = set.computeIfAbsent(row.id(), first -> new TreeMap<>());
        Buffer payload = row.payload();
        if (payload == null) {
            ofEntity.clear();
            return;
        }
        long command = Tally.Noted.parse(payload.toString()).command();
        if (Tally.isRing(command)) {
            Long at = due.get(command);
            world.mustHold(
                    at != null && at <= StoredWorld.EPOCH + world.now(),
                    Kind.RULE,
                    () -> row.id() + " was reminded by " + command + ", which is due at " + at);
            rung.add(command);
        }
        for (ReminderChange change : row.reminders()) {
            Buffer message = change.payload();
            if (message == null) {
                ofEntity.remove(change.name());
            } else {
                long ring = Tally.Command.parse(message.toString()).number();
                ofEntity.put(change.name(), ring);
                due.put(ring, change.due());
            }
        }
    }

    /** The command, which sets a reminder, was answered. */
    void answered(Tally.Command command) {
        world.mustHold(
                command.manner() != Tally.Manner.REMIND || due.containsKey(Tally.ring(command.number())),
                Kind.LOST,
                () -> "command " + command + " was answered, and its reminder is not stored");
    }

    /** These outcomes take effect now: one that is done has been handled. */
    void settled(int type, List<Settled> all) {
        for (Settled one : all) {
            Reminder reminder = one.reminder();
            long ring = Tally.Command.parse(reminder.payload().toString()).number();
            boolean isPresent = world.store().content().reminders().of(type, reminder.id()).result().stream()
                    .anyMatch(present -> present.name().equals(reminder.name())
                            && present.number() == reminder.number()
                            && present.due() == reminder.due());
            world.mustHold(
                    !isPresent || one.next() != 0 || rung.contains(ring),
                    Kind.LOST,
                    () -> "reminder " + reminder + " is done, and was not handled");
        }
    }

    /** All reminders that are set have been handled. */
    boolean isDone() {
        return set.values().stream()
                .flatMap(ofEntity -> ofEntity.values().stream())
                .allMatch(rung::contains);
    }
}
