package io.shardbus.simulation.bugs;

import io.shardbus.simulation.seeds.Family;
import java.util.List;

/** Mistakes about founding a cluster and carrying one on: with each of them two clusters run the same entities. */
final class FoundingBugs {
    private static final String FOUNDING = "control/Founding.java";

    private FoundingBugs() {}

    static final List<SeededBug> ALL = List.of(
            SeededBug.rare("a cluster is founded by those seats that are there", "31", Family.FOUNDINGS, 4, 37, 80)
                    .in(FOUNDING, "occupied == null || !missing().isEmpty() || !canPledge", "occupied == null"),
            SeededBug.rare(
                            "a cluster is founded by those of its host's processes that answer",
                            "31",
                            Family.HOSTS,
                            1,
                            4,
                            4)
                    .in(FOUNDING, "occupied == null || !missing().isEmpty() || !canPledge", "occupied == null"),
            SeededBug.rare("a process that has just started carries a cluster on", "31", Family.FOUNDINGS, 9, 6, 80)
                    .in(FOUNDING, "                && charter.enrolled().contains(self)\n", ""),
            SeededBug.rare("a node without a seat carries a cluster on", "31", Family.FOUNDINGS, 1, 17, 80)
                    .in(FOUNDING, "                && seats.holdsOneOf(charter)\n", ""),
            SeededBug.rare("what a seat holds to does not bind it", "31", Family.FOUNDINGS, 13, 10, 160)
                    .in(
                            FOUNDING,
                            "                && (allegiance.equals(TermId.NONE) ||"
                                    + " allegiance.equals(charter.founding()))\n",
                            ""),
            SeededBug.rare("a side that was denied the record takes it back unasked", "31", Family.PARTITIONS, 4, 1, 30)
                    .in(
                            FOUNDING,
                            "hasClusterEnded(now) ? completed(now) : Optional.empty();",
                            "hasClusterEnded(now) ? Optional.of(attempt) : Optional.empty();"),
            SeededBug.rare("newcomers bring a cut-off minority to life", "31", Family.FOUNDINGS, 10, 4, 80)
                    .in(
                            FOUNDING,
                            "                && (!regrouping || hasMajority(charter.enrolled(), departed));",
                            ";"),
            SeededBug.uncaught("the record of a grown minority says who reigned last", "31", Family.FOUNDINGS)
                    .in("control/Election.java", "(founding.mayBeOutdated() || before", "(before"),
            SeededBug.rare("each process that comes or goes delays a revival", "31", Family.FOUNDINGS, 6, 5, 80)
                    .in(
                            FOUNDING,
                            "} else if (merged || deniedSince",
                            "} else if (!next.members().equals(view.members()) || merged || deniedSince"),
            SeededBug.rare("terms do not rise above a store's", "1", Family.FOUNDINGS, 4, 8, 80)
                    .in("control/TermFloor.java", "stored = Math.max(stored, term);", "stored = 0;"),
            SeededBug.rare("a founder waits from the start of its process", "35", Family.FOUNDINGS, 5, 5, 80)
                    .in(
                            FOUNDING,
                            "if (seats.kind() != Seats.Kind.HOST || !fresh) {\n            return completedAt;",
                            "if (seats.kind() != Seats.Kind.HOST || !fresh) {\n            return"
                                    + " Math.min(completedAt, processStart);"));
}
