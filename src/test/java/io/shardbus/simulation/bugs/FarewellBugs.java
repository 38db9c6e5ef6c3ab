package io.shardbus.simulation.bugs;

import io.shardbus.simulation.seeds.Family;
import java.util.List;

/** Mistakes about drains, and about the announced stop of the whole cluster. */
final class FarewellBugs {
    private static final String MOVES = "coordinator/Moves.java";
    private static final String COORDINATOR = "coordinator/Coordinator.java";
    private static final String SESSION = "coordinator/Session.java";
    private static final String TERMS = "control/Terms.java";
    private static final String HEARD = "control/HeardAnnouncements.java";
    private static final String VACANCY = "control/Vacancy.java";
    private static final String NODE = "control/NodeControl.java";
    private static final String REGION = "region/Region.java";

    private FarewellBugs() {}

    static final List<SeededBug> ALL = List.of(
            SeededBug.of("a drained node gets shards", "drains", Family.FAREWELLS, 2, 27)
                    .in(SESSION, "hosts() && !leaving && !draining", "hosts() && !leaving"),
            SeededBug.of("a drain that is taken back goes on", "drains", Family.FAREWELLS, 2, 26)
                    .in(MOVES, "            session.draining = false;\n", ""),
            SeededBug.of("shards move while the whole cluster stops", "shutdown", Family.FAREWELLS, 1, 22)
                    .in(MOVES, "forbidden = stops;", "forbidden = stops && forbidden;"),
            SeededBug.of(
                            "a reign that begins does not know that the cluster stops",
                            "shutdown",
                            Family.FAREWELLS,
                            1,
                            13)
                    .in(TERMS, "        next.clusterStops(clusterStops, turn.now());\n", ""),
            SeededBug.of("a stop that is taken back goes on", "shutdown", Family.FAREWELLS, 1, 7)
                    .in(MOVES, "forbidden = stops;", "forbidden |= stops;"),
            SeededBug.rare(
                            "an announcement that is repeated late takes its cancellation back",
                            "shutdown",
                            Family.FAREWELLS,
                            1,
                            7,
                            20)
                    .in(HEARD, "return said.number() > known ||", "return said.number() > 0 ||"),
            SeededBug.rare(
                            "an announcement is compared with those of its own node only",
                            "shutdown",
                            Family.FAREWELLS,
                            1,
                            5,
                            20)
                    .in(
                            HEARD,
                            "        long known = latest(wall);\n",
                            "        long known = by.equals(latestBy) ? latest(wall) : 0;\n"),
            SeededBug.rare(
                            "a region that leaves waits for moves though the cluster stops",
                            "shutdown",
                            Family.FAREWELLS,
                            77,
                            3,
                            100)
                    .in(
                            COORDINATOR,
                            " && (session.shards.isEmpty() || moves.areForbidden())) {",
                            " && session.shards.isEmpty()) {"),
            SeededBug.rare("a region hands off its shards while all stops", "shutdown", Family.FAREWELLS, 20, 9, 60)
                    .in(NODE, "return terms.isClusterStopping() || noneAnswers ?", "return noneAnswers ?"),
            SeededBug.of("a region that loses its lease while it leaves goes on", "17", Family.EVERYTHING, 13, 3)
                    .in(REGION, "        if (leaving) {\n            complete();\n        }\n", ""),
            SeededBug.of("a record is taken over at once while the cluster stops", "shutdown", Family.FAREWELLS, 1, 13)
                    .in(VACANCY, "stopping ? Math.max(since, unrenewedSince + lease * 11 / 16) : since", "since"),
            SeededBug.of(
                            "a record stays vacant for too long while the cluster stops",
                            "shutdown",
                            Family.FAREWELLS,
                            1,
                            7)
                    .in(VACANCY, "lease * 11 / 16", "lease * 5 / 4"));
}
