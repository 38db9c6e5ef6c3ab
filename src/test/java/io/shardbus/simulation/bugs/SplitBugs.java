package io.shardbus.simulation.bugs;

import io.shardbus.simulation.seeds.Family;
import java.util.List;

/** Mistakes of nodes that decide about splits by different options. */
final class SplitBugs {
    private static final String AGREEMENT = "splitbrain/Agreement.java";
    private static final String CONTROL = "control/SplitControl.java";
    private static final String RESOLVER = "splitbrain/SplitResolver.java";

    private SplitBugs() {}

    static final List<SeededBug> ALL = List.of(
            SeededBug.of("a minority goes on though members differ", "32", Family.DIFFERENT_STRATEGIES, 15, 2)
                    .in(AGREEMENT, "allMatch(member -> own.equals(optionsOf(member)))", "allMatch(member -> true)"),
            SeededBug.of("members that have just joined outnumber the others", "32", Family.DIFFERENT_STRATEGIES, 12, 1)
                    .in(AGREEMENT, "if (now >= unchangedSince + settling) {", "if (now >= unchangedSince) {"),
            SeededBug.of("a loss is never undecided", "32", Family.STRATEGIES, 4, 17)
                    .in(CONTROL, "        effects.undecided(true);", "        effects.undecided(false);"),
            SeededBug.rare(
                            "sides that stopped go on with the caches that they get by meeting",
                            "32",
                            Family.STRATEGIES,
                            59,
                            11,
                            400)
                    .in(
                            RESOLVER,
                            "            readings.met(maySeeReign(), now);\n",
                            "            if (available) {\n                becomeWhole();\n            }\n"),
            SeededBug.of("a side goes on as all whom it lost are dead", "32", Family.OUTLIVED, 4, 19)
                    .in(CONTROL, "deaths.isAlone(node, missing())", "status.isNews(turn.now())"),
            SeededBug.uncaught(
                            "a side that waits for a node of long ago takes part in no founding", "32", Family.REVIVALS)
                    .in(
                            CONTROL,
                            "return (!available || awaitingSince != NOT_AWAITING) && !setup.minorityMayGoOn();",
                            "return !available && !setup.minorityMayGoOn();"),
            SeededBug.uncaught("coordinators do not hear that a loss is undecided", "32", Family.STRATEGIES)
                    .in(
                            "control/Terms.java",
                            "        whileReigning(present -> present.lossUndecided(isUndecided, turn.now()));\n",
                            ""));
}
