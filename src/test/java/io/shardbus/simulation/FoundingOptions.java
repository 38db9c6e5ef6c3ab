package io.shardbus.simulation;

/** The families about clusters that are founded, and founded anew. */
public final class FoundingOptions {
    private FoundingOptions() {}

    /**
     * Clusters of one to five seats that are founded, left, cut and killed in parts, while processes start behind cuts.
     */
    public static SimulationOptions foundings(long seed) {
        SimulationOptions options = new SimulationOptions(seed).with(Fault.JOIN);
        switch ((int) (seed % 4)) {
            case 0 ->
                options.with(Fault.START_APART, Fault.EXODUS, Fault.SEAT_RESTART, Fault.BLACKOUT, Fault.PARTITION)
                        .with(Fault.LEAVE, Fault.CRASH, Fault.FREEZE);
            case 1 -> options.with(Fault.RELICT).faults.remove(Fault.JOIN);
            case 2 ->
                options.with(
                        seed % 8 == 2 ? Fault.GROWING_MINORITY : seed % 16 == 6 ? Fault.CRASH_LOOP : Fault.LATECOMER);
            default -> options.with(Fault.START_APART, Fault.EXODUS, Fault.SEAT_RESTART, Fault.LEAVE, Fault.PARTITION);
        }
        options.startsApart = true;
        options.seats = 1 + (int) (seed / 4 % 5);
        options.refusedPorts = seed / 20 % 2 == 0;
        options.unlistedGuests = seed % 2 == 1;
        // the clocks were set back by up to 20 hours since the store was written
        options.storeAhead = seed % 9 == 4 ? seed % 20 * 3_600_000 + 1 : 0;
        // a few begin with too few processes for all seats
        options.nodes = seed % 7 == 0 ? 2 : options.seats + (int) (seed / 7 % 3);
        if (seed % 16 == 6) {
            options.faults.remove(Fault.JOIN);
            options.seats = 2 + (int) (seed / 16 % 3);
            options.nodes = options.seats + 2;
        } else if (seed % 16 == 13) {
            options.faults.remove(Fault.RELICT);
            options.with(Fault.SECESSION).seats = 3 + (int) (seed / 16 % 2);
            options.nodes = options.seats + 1;
        }
        options.shards = 6;
        options.entities = 12;
        options.lanes = 1;
        options.faultPause = seed % 4 == 0 ? 900 : 2_500;
        options.duration = 20_000;
        options.sendPause = 60;
        options.unknownPercent = seed % 3 == 0 ? 4 : 0;
        options.drift = 0.03;
        options.settling = 60_000;
        return options;
    }

    /**
     * Three to five seats that decide about splits by the majority and hear of deaths, but not of each: when all but
     * one crash at once, the last one still awaits a process that it left behind long ago.
     */
    public static SimulationOptions revivals(long seed) {
        SimulationOptions options = foundings(seed);
        options.faults.clear();
        options.with(Fault.LOST_AGAIN);
        if (seed % 3 == 2) {
            options.with(Fault.FREEZE, Fault.STORE_STALL);
        }
        options.splitRule = SplitRule.KEEP_MAJORITY;
        options.witness = SimulationOptions.Witnesses.TRUTHFUL;
        options.witnessDelay = 900;
        options.seats = 3 + (int) (seed % 3);
        options.nodes = options.seats;
        options.unlistedGuests = false;
        options.storeAhead = 0;
        options.faultPause = 6_000;
        return options;
    }

    /**
     * Processes of one host, which shows who lives: all of them end or crash, freeze, and start again at once or out of
     * each other's reach.
     */
    public static SimulationOptions hosts(long seed) {
        SimulationOptions options = foundings(seed);
        options.faults.clear();
        options.with(Fault.BLACKOUT, Fault.START_APART, Fault.JOIN, Fault.FREEZE);
        if (seed % 2 == 0) {
            options.with(Fault.PARTITION, Fault.LEAVE);
        } else if (seed % 4 == 3) {
            options.with(Fault.EXODUS);
        }
        options.seats = 0;
        options.hostShowsAll = true;
        // one machine has one clock
        options.drift = 0;
        options.nodes = 1 + (int) (seed % 4);
        options.faultPause = 900;
        return options;
    }
}
