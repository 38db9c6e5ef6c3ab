package io.shardbus.simulation.bugs;

import io.shardbus.simulation.seeds.Family;
import java.util.List;

/** Mistakes of a node's control plane between its machines: which of them hears of what. */
final class ControlBugs {
    private static final String TERMS = "control/Terms.java";
    private static final String REIGN = "control/Reign.java";

    private ControlBugs() {}

    static final List<SeededBug> ALL = List.of(
            SeededBug.of("an abdication names no holder of a lease", "10", Family.COORDINATOR_CHANGES, 2, 8)
                    .in(TERMS, "node -> ended && node.equals(setup.self())", "node -> true"),
            SeededBug.of(
                            "a type that begins in a reign does not wait for earlier leases",
                            "10",
                            Family.PARTITIONS,
                            2,
                            24)
                    .in(REIGN, "begin.waitFrom(), confirmSent", "begin.waitFrom() - 10_000, confirmSent"),
            SeededBug.of(
                            "shards of the dead are free before the term is confirmed again",
                            "12",
                            Family.WITNESSED,
                            2,
                            12)
                    .in(
                            "coordinator/Authority.java",
                            "return moment != null && confirmSent >= moment;",
                            "return moment != null;"),
            SeededBug.of("an event finds a reign whose authority is over", "8", Family.COORDINATOR_CHANGES, 25, 6)
                    .in(
                            "control/NodeControl.java",
                            "        endOverdueReign();\n        event.run();",
                            "        event.run();"),
            SeededBug.of("nodes that the record does not list get grants", "10", Family.WITNESSED, 3, 21)
                    .in(
                            TERMS,
                            "return election.holders().grantable(members.get());",
                            "return Set.copyOf(members.get());"),
            SeededBug.of("regions do not hear that their side has stopped", "32", Family.STRATEGIES, 1, 38)
                    .in(
                            "control/NodeControl.java",
                            "                tellElection(false);\n            }\n            permit();",
                            "                tellElection(false);\n            }"));
}
