package io.shardbus.simulation.bugs;

import io.shardbus.simulation.seeds.Family;
import java.util.List;

/** Mistakes that show only where a cluster has several types, nodes without some of them, and proxies. */
final class TypeBugs {
    private static final String REIGN = "control/Reign.java";
    private static final String TABLE = "coordinator/ShardTable.java";
    private static final String SESSION = "coordinator/Session.java";
    private static final String REGION = "region/Region.java";

    private TypeBugs() {}

    static final List<SeededBug> ALL = List.of(
            SeededBug.rare("the leases that one type has left open the others", "10", Family.SEVERAL_TYPES, 5, 3, 60)
                    .in(
                            REIGN,
                            "EndedReign before = predecessors.get(type);",
                            "EndedReign before = predecessors.values().stream().reduce((one, other) ->"
                                    + " other).orElse(null);"),
            SeededBug.of("proxies count among the hosts that a type waits for", "12", Family.SEVERAL_TYPES, 9, 7)
                    .in(TABLE, "count += session.hosts() ? 1 : 0;", "count += session.gone ? 0 : 1;"),
            SeededBug.of("a proxy gets shards", "11", Family.SEVERAL_TYPES, 1, 38)
                    .in(SESSION, "return !profile.proxy() && !gone;", "return !gone;"),
            SeededBug.of("a proxy that becomes a host does not register again", "11", Family.SEVERAL_TYPES, 2, 11)
                    .in(REGION, "            profile = hosting;\n", ""));
}
