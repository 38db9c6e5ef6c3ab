package io.shardbus.simulation.bugs;

import io.shardbus.simulation.seeds.Family;
import java.util.List;

/** Mistakes of entities that store their states as a whole. */
final class StateBugs {
    private static final String RULE = "states";
    private static final String DURABLE = "main/runtime/persistence/DurableEntity.java";

    private StateBugs() {}

    static final List<SeededBug> ALL = List.of(
            SeededBug.of("a state is stored without identified commands", RULE, Family.SAVED, 1, 40)
                    .in(DURABLE, "payload, commands, changes);", "payload, null, changes);"),
            SeededBug.of("a state that is deleted has no identified commands", RULE, Family.SAVED, 1, 30)
                    .in(DURABLE, "codec.format(), null, commands);", "codec.format(), null, null);"),
            SeededBug.of("a store takes a state under an older fence", RULE, Family.SAVED, 1, 40)
                    .in(
                            "main/store/memory/MemoryLogs.java",
                            "List<LogAppend<StateRow>> admitted = admitted(writes, true);",
                            "List<LogAppend<StateRow>> admitted = writes;"),
            SeededBug.of("a state is not stored with its reminders", RULE, Family.SAVED, 3, 13)
                    .in(DURABLE, "payload, commands, changes);", "payload, commands, List.of());"));
}
