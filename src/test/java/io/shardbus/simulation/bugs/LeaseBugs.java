package io.shardbus.simulation.bugs;

import io.shardbus.simulation.seeds.Family;
import java.util.List;

/** Mistakes about the external leases of shards. */
final class LeaseBugs {
    private static final String LEASES = "region/ExternalLeases.java";

    private LeaseBugs() {}

    static final List<SeededBug> ALL = List.of(
            SeededBug.of("a lease that was lost before its answer counts", "external", Family.LEASED, 1, 35)
                    .in(LEASES, "held && early == null ? Step.HELD", "held ? Step.HELD"),
            SeededBug.of("a lost external lease does not stop its shard", "external", Family.LEASED, 1, 40)
                    .in(LEASES, "            commands.add(new LeaseCommand.Lost(shard));\n", ""),
            SeededBug.of("the end of a shard is told before its lease is free", "external", Family.LEASED, 1, 40)
                    .in(
                            LEASES,
                            "if (entry != null && entry.step == Step.RELEASING) {\n"
                                    + "            entry.endAwaited = true;",
                            "if (entry != null && entry.endAwaited) {"),
            SeededBug.of("a region ends before its leases are given back", "external", Family.LEASED, 1, 19)
                    .in(LEASES, "&& entries.values().stream().allMatch(entry -> entry.step == Step.IDLE)", ""));
}
