package io.shardbus.simulation;

import java.util.EnumSet;
import java.util.Set;

/** What a run is made of. One seed and the same options give the same run. */
final class SimulationOptions {
    /** What may happen to the cluster. */
    enum Fault {
        CRASH,
        COORDINATOR_CRASH,
        JOIN,
        LEAVE,
        COORDINATOR_LEAVE,
        CUT,
        STALL,
        REBALANCE,
        DRAIN,
        FREEZE,
        PARTITION
    }

    final long seed;
    Set<Fault> faults = EnumSet.noneOf(Fault.class);
    int nodes = 4;
    int shards = 12;
    int entities = 30;
    int lanes = 2;
    int minimumMembers = 1;
    int bufferSize = 10_000;
    int mailboxSize = 10_000;
    int frameMessages = 8;
    int frameWindow = 2;
    long lease = 2_000;
    long handoffTimeout = 3_000;
    long rebalanceInterval = 1_000;
    long askTimeout = 6_000;
    long duration = 12_000;
    long settling = 14_000;
    long sendPause = 40;
    long faultPause = 1_200;
    int slowPercent = 5;
    int slowMillis = 250;
    int throwPercent = 2;
    int stubbornPercent = 5;
    int unknownPercent;
    int driftPercent;
    /** Whether only planned moves happen: nothing may fail then. */
    boolean plannedOnly;

    /** Whether nodes learn by a witness that a vanished node is dead. */
    boolean witness;

    boolean digesting;
    Sabotage sabotage = new Sabotage();

    SimulationOptions(long seed) {
        this.seed = seed;
    }

    SimulationOptions with(Fault... more) {
        faults.addAll(Set.of(more));
        return this;
    }

    static SimulationOptions calm(long seed) {
        return new SimulationOptions(seed);
    }

    /** Joins, leaves, drains and rebalancing, under load: nothing may be lost, doubled, failed or reordered. */
    static SimulationOptions plannedMoves(long seed) {
        SimulationOptions options = new SimulationOptions(seed)
                .with(Fault.JOIN, Fault.LEAVE, Fault.COORDINATOR_LEAVE, Fault.REBALANCE, Fault.DRAIN);
        options.plannedOnly = true;
        options.throwPercent = 0;
        options.handoffTimeout = 10_000;
        options.askTimeout = 60_000;
        return options;
    }

    static SimulationOptions crashes(long seed) {
        return new SimulationOptions(seed).with(Fault.CRASH, Fault.JOIN, Fault.CUT, Fault.REBALANCE);
    }

    static SimulationOptions coordinatorChanges(long seed) {
        return new SimulationOptions(seed)
                .with(Fault.COORDINATOR_CRASH, Fault.COORDINATOR_LEAVE, Fault.JOIN, Fault.REBALANCE);
    }

    static SimulationOptions partitions(long seed) {
        return new SimulationOptions(seed).with(Fault.FREEZE, Fault.PARTITION, Fault.CUT, Fault.STALL, Fault.REBALANCE);
    }

    static SimulationOptions everything(long seed) {
        SimulationOptions options = new SimulationOptions(seed);
        options.faults = EnumSet.allOf(Fault.class);
        options.bufferSize = seed % 2 == 0 ? 8 : 200;
        options.mailboxSize = seed % 3 == 0 ? 3 : 100;
        options.unknownPercent = 3;
        options.driftPercent = 2;
        options.nodes = 3 + (int) (seed % 3);
        return options;
    }

    /** The same, where a witness tells of dead processes. */
    static SimulationOptions witnessed(SimulationOptions options) {
        options.witness = true;
        return options;
    }

    @Override
    public String toString() {
        return "seed=" + seed + " faults=" + faults + " nodes=" + nodes + " shards=" + shards + " lanes=" + lanes
                + " bufferSize=" + bufferSize + " mailboxSize=" + mailboxSize + " lease=" + lease + " handoffTimeout="
                + handoffTimeout + " witness=" + witness + " plannedOnly=" + plannedOnly + " sabotage="
                + sabotage.getClass().getSimpleName();
    }
}
