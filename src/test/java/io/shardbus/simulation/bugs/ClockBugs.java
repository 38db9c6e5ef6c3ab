package io.shardbus.simulation.bugs;

import io.shardbus.simulation.seeds.Family;
import java.util.List;

/** Mistakes with clocks that are set, stand still, or are wrong. */
final class ClockBugs {
    private static final String TIME = "time/ElapsedTime.java";
    private static final String ELECTION = "control/Election.java";

    private ClockBugs() {}

    static final List<SeededBug> ALL = List.of(
            SeededBug.of("a wall clock that was set back hides a suspend", "18", Family.CLOCKS, 1, 4)
                    .in(
                            TIME,
                            "missed, doubtful, Math.min(wallAhead, wall), Math.min(bootAhead, boot),",
                            "missed, doubtful, wallAhead, Math.min(bootAhead, boot),"),
            SeededBug.of("a wall clock that is set during a suspend hides it", "18", Family.CLOCKS, 1, 7)
                    .in(TIME, "long byBoot = Math.max(0, gainOfBoot(reading));", "long byBoot = 0;"),
            SeededBug.of("a suspend does not count", "18", Family.CLOCKS, 1, 10)
                    .in(TIME, "return awake + missed;", "return awake;"),
            SeededBug.of("a wall clock that is set forward ends no reign", "18", Family.CLOCKS, 1, 13)
                    .in(
                            ELECTION,
                            "        stepDown(\"the clock ran ahead by \" + gained + \" ms\");\n"
                                    + "        known.seeAnew();\n",
                            ""),
            SeededBug.of("time that may not have passed is not waited for again", "18", Family.CLOCKS, 1, 13)
                    .in(ELECTION, "ms\");\n        known.seeAnew();\n", "ms\");\n"),
            SeededBug.uncaught("holders' leases run out by time that may not have passed", "18", Family.CLOCKS)
                    .in(ELECTION, "        holders.postpone(gained);\n", ""),
            SeededBug.uncaught("a split is decided by time that may not have passed", "18", Family.CLOCKS)
                    .in("splitbrain/SplitResolver.java", "        lease.postpone(gained);\n", "")
                    .in("splitbrain/SplitResolver.java", "        changedAt = later(changedAt, gained);\n", ""),
            SeededBug.of("terms follow a clock that is a year ahead", "1", Family.CLOCKS, 9, 13)
                    .in(
                            "control/TermNumbers.java",
                            "long clock = known == 0 ? wall : Math.min(wall, latest(replaced, unchangedFor));",
                            "long clock = wall;"));
}
