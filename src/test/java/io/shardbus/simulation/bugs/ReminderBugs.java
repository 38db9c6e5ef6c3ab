package io.shardbus.simulation.bugs;

import io.shardbus.simulation.seeds.Family;
import java.util.List;

/** Mistakes of reminders. */
final class ReminderBugs {
    private static final String RULE = "reminders";
    private static final String DUE = "main/runtime/reminder/DueReminders.java";

    private ReminderBugs() {}

    static final List<SeededBug> ALL = List.of(
            SeededBug.of("a reminder is done that was not answered", RULE, Family.REMINDED, 1, 28)
                    .in(DUE, "answer.succeeded() ? 0 :", "answer.succeeded() || answer.failed() ? 0 :"),
            SeededBug.of("a reminder is delivered before it is due", RULE, Family.REMINDED, 1, 40)
                    .in(
                            DUE,
                            "            if (reminder.due() > now) {",
                            "            if (reminder.due() > now + 500) {"),
            SeededBug.of("a reminder that was set again is done with the former one", RULE, Family.REMINDED, 1, 20)
                    .in(
                            "main/store/memory/MemoryLogs.java",
                            "present == null || present.number() != read.number() || present.due() != read.due()",
                            "present == null"),
            SeededBug.of("a reminder is not stored with the events of its command", RULE, Family.REMINDED, 1, 40)
                    .in(
                            "main/runtime/persistence/SourcedEntity.java",
                            "rows.size() == effect.events().size() - 1 ? changes : List.of()",
                            "rows.size() < 0 ? changes : List.of()"));
}
