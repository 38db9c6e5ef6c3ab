package io.shardbus.simulation;

import io.shardbus.core.passivation.PassivationSettings;
import io.shardbus.core.passivation.PassivationSettings.ActiveLimit;
import io.shardbus.core.passivation.PassivationSettings.Admission;
import io.shardbus.core.passivation.PassivationSettings.Climbing;
import io.shardbus.core.passivation.PassivationSettings.Idle;
import io.shardbus.core.passivation.PassivationSettings.Order;
import io.shardbus.core.passivation.PassivationSettings.Replacing;
import io.shardbus.core.passivation.PassivationSettings.Sketch;
import io.shardbus.core.passivation.PassivationSettings.Window;
import io.shardbus.core.protocol.LeaseTimes;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** What a run is made of. One seed and the same options give the same run. */
public final class SimulationOptions {
    /** Who tells nodes that a node that vanished is dead. */
    enum Witnesses {
        NONE,
        TRUTHFUL,
        /** Takes members that vanished for dead. */
        RASH
    }

    final long seed;
    Set<Fault> faults = EnumSet.noneOf(Fault.class);
    int nodes = 4;
    int shards = 12;
    int entities = 30;
    int lanes = 2;
    int minimumMembers = 1;
    /** How many seats are listed; with 0 every process holds one, and all are of one host. */
    int seats;
    /** Whether a host shows every process that lives, so that one that is not shown has ended. */
    boolean hostShowsAll;
    /** Whether the hosts refuse connections for processes that are dead, and that counts. */
    boolean refusedPorts;
    /** Whether every other process without a seat counts itself among the seats, though no other one lists it. */
    boolean unlistedGuests;
    /** Whether processes start where they do not reach the others. */
    boolean startsApart;

    int bufferSize = 10_000;
    int mailboxSize = 10_000;
    int frameMessages = 8;
    int frameWindow = 2;
    long lease = 2_000;
    /** Whether leases of some nodes last two or three times as long, and no node refuses them. */
    boolean differentLeases;

    long handoffTimeout = 3_000;
    long rebalanceInterval = 1_000;
    long askTimeout = 6_000;
    /** How often regions and lanes repeat what was not answered. */
    long retryInterval = Simulation.RETRY_INTERVAL;
    /** No ask may take longer. */
    long longestAsk = Long.MAX_VALUE;
    /** How long an entity may be at one message before its shard stays for it. */
    long patience = 10_000;

    long duration = 12_000;
    long settling = 16_000;
    long sendPause = 40;
    long faultPause = 1_200;
    int slowPercent = 5;
    int slowMillis = 250;
    int throwPercent = 2;
    int stubbornPercent = 5;
    int unknownPercent;
    /** How far clocks run ahead or behind; the margin of a tenth of a lease bears 0.047. */
    double drift;
    /** Whether some wall clocks are a year ahead or behind from the beginning. */
    boolean wrongClocks;
    /** How far the terms of a store that all types share are ahead of the clocks at the beginning; 0 without one. */
    long storeAhead;

    /** Whether the store never serves the first node. */
    boolean storeRefusesFirst;
    /** Whether shards move in every round, and not only where they must. */
    boolean restless;

    /** Whether nothing happens that costs a region its lease. */
    boolean keepsLeases;

    /** Whether some nodes that leave wait for their regions for a time only. */
    boolean hastyLeaves;

    /** Whether operations on the record of standing orders may take long or fail. */
    boolean ordersFail;

    /** Whether only planned moves happen: nothing may fail then. */
    boolean plannedOnly;

    /** By which rule the sides of a split decide. */
    SplitRule splitRule = SplitRule.UNDECIDED;

    /** By which rule every third node decides instead. */
    SplitRule otherRule = SplitRule.UNDECIDED;

    Witnesses witness = Witnesses.NONE;
    /** How long after a loss the witness is asked first. */
    long witnessDelay;
    /** Whether a shard needs an outside lease, too. */
    boolean leased;
    /** How entities are passivated. */
    PassivationSettings passivation = PassivationSettings.NONE;

    /** Whether entities are remembered. */
    boolean remembering;

    /** Types that only some nodes have. */
    List<SimType> more = List.of();

    /** Whether {@link Simulation#digest} is wanted. */
    public boolean digesting;
    /** Whether messages are made up. */
    boolean intruder;

    SimulationOptions(long seed) {
        this.seed = seed;
    }

    SimulationOptions with(Fault... more) {
        faults.addAll(Set.of(more));
        return this;
    }

    List<SimType> types() {
        return Stream.concat(Stream.of(SimType.main(this)), more.stream()).toList();
    }

    /** When load and faults begin. */
    long loadFrom() {
        return plannedOnly ? lease * 3 / 2 : 0;
    }

    LeaseTimes times(SplittableRandom dice) {
        return new LeaseTimes(differentLeases ? lease * (1 + dice.nextInt(3)) : lease, lease / 8, true);
    }

    SplitRule drawRule(SplittableRandom dice) {
        return otherRule.decides() && dice.nextInt(3) == 0 ? otherRule : splitRule;
    }

    /** Whether nothing is promised when a split comes while another one lasts. */
    boolean hasWeakerRule() {
        return splitRule.isWeaker() || otherRule.isWeaker();
    }

    /** Few, so that moves wait for their turn in most runs. */
    int movesAtOnce() {
        return 1 + (int) Math.floorMod(seed, 3L);
    }

    /** Somebody who is no node sends what no node would, while coordinators come and go. */
    public static SimulationOptions intruders(long seed) {
        SimulationOptions options = new SimulationOptions(seed)
                .with(Fault.COORDINATOR_CRASH, Fault.COORDINATOR_LEAVE, Fault.JOIN, Fault.REBALANCE, Fault.PARTITION);
        options.intruder = true;
        options.nodes = 4;
        return options;
    }

    public static SimulationOptions calm(long seed) {
        return new SimulationOptions(seed);
    }

    /** Joins, leaves, drains and rebalancing, under load: nothing may be lost, doubled, failed or reordered. */
    public static SimulationOptions plannedMoves(long seed) {
        SimulationOptions options = new SimulationOptions(seed)
                .with(Fault.JOIN, Fault.LEAVE, Fault.COORDINATOR_LEAVE, Fault.REBALANCE, Fault.DRAIN, Fault.RESTART);
        options.planned();
        if (seed % 2 == 0) {
            options.with(Fault.SHORT_STALL).faultPause = 600;
        }
        return options;
    }

    /**
     * Planned moves over connections that never stall: nothing has to wait for a repetition, which as good as never
     * comes.
     */
    public static SimulationOptions promptMoves(long seed) {
        SimulationOptions options = plannedMoves(seed);
        options.faults.remove(Fault.SHORT_STALL);
        options.retryInterval = 20_000;
        options.longestAsk = 2_000;
        return options;
    }

    /** Moves that take longer than they may, because connections stall: they are given up, and nothing else happens. */
    public static SimulationOptions slowMoves(long seed) {
        SimulationOptions options = new SimulationOptions(seed).with(Fault.JOIN, Fault.REBALANCE, Fault.SHORT_STALL);
        options.planned();
        options.faultPause = 400;
        options.handoffTimeout = 300;
        options.restless = seed % 2 == 0;
        options.rebalanceInterval = options.restless ? 300 : 1_000;
        options.patience = seed % 4 < 2 ? 60 : options.patience;
        options.slowPercent = 15;
        options.slowMillis = 600;
        return options;
    }

    private void planned() {
        plannedOnly = true;
        throwPercent = 0;
        handoffTimeout = 10_000;
        askTimeout = 60_000;
    }

    public static SimulationOptions crashes(long seed) {
        SimulationOptions options = new SimulationOptions(seed)
                .with(Fault.CRASH, Fault.JOIN, Fault.CUT, Fault.RECONNECT, Fault.REBALANCE, Fault.LEAVE)
                .with(Fault.RESTART, Fault.HASTY_RESTART);
        options.hastyLeaves = true;
        return options;
    }

    public static SimulationOptions coordinatorChanges(long seed) {
        SimulationOptions options = new SimulationOptions(seed)
                .with(
                        Fault.COORDINATOR_CRASH,
                        Fault.COORDINATOR_LEAVE,
                        Fault.COORDINATOR_FREEZE,
                        Fault.STORE_STALL,
                        Fault.STALL,
                        Fault.JOIN,
                        Fault.REBALANCE,
                        Fault.RESTART,
                        Fault.HASTY_RESTART);
        options.unknownPercent = 5;
        options.drift = 0.047;
        options.storeRefusesFirst = seed % 4 == 0;
        options.hastyLeaves = true;
        return options;
    }

    public static SimulationOptions partitions(long seed) {
        SimulationOptions options = new SimulationOptions(seed)
                .with(
                        Fault.FREEZE,
                        Fault.PARTITION,
                        Fault.SHATTER,
                        Fault.ONE_WAY,
                        Fault.DEPOSE,
                        Fault.CUT,
                        Fault.RECONNECT,
                        Fault.STALL,
                        Fault.REBALANCE,
                        Fault.HASTY_RESTART);
        options.drift = 0.047;
        options.nodes = 4 + (int) (seed % 2);
        // A coordinator that is the record's primary as well cannot confirm while a region is not heard: then it has no
        // authority left
        // when that region's lease is over.
        options.storeRefusesFirst = seed % 4 >= 2;
        return options;
    }

    /** Splits, which nodes decide about by each rule in turn; every other time a witness tells of dead processes. */
    public static SimulationOptions strategies(long seed) {
        SplitRule[] rules = SplitRule.values();
        SimulationOptions options = new SimulationOptions(seed)
                .with(Fault.PARTITION, Fault.SHATTER, Fault.FREEZE, Fault.RECONNECT, Fault.REBALANCE);
        options.splitRule = rules[1 + (int) (seed % (rules.length - 1))];
        if (!options.splitRule.isWeaker()) {
            options.with(Fault.ONE_WAY, Fault.DEPOSE, Fault.REGROUP);
        }
        long turn = seed / (rules.length - 1);
        if (turn % 2 == 0) {
            options.with(Fault.CRASH, Fault.JOIN).witness = Witnesses.TRUTHFUL;
        }
        options.nodes = 2 + (int) (turn / 2 % 4);
        options.faultPause = 500;
        if (options.splitRule == SplitRule.LEASE_MAJORITY && turn % 2 == 1) {
            // sides that have stopped meet while another one goes on
            options.faults.retainAll(Set.of(Fault.SHATTER, Fault.REBALANCE));
            options.with(Fault.MEETING).nodes = 5;
            options.faultPause = 1_500;
        }
        options.drift = 0.047;
        // the first must not be the last that is left, and be refused
        options.storeRefusesFirst = seed % 4 >= 2 && options.witness == Witnesses.NONE;
        options.settling = 30_000;
        return options;
    }

    /** A node is cut off from others, which die while processes that joined them live; a witness tells of deaths. */
    public static SimulationOptions outlived(long seed) {
        SimulationOptions options = new SimulationOptions(seed).with(Fault.OUTLIVED);
        options.witness = Witnesses.TRUTHFUL;
        options.splitRule = seed % 3 == 0 ? SplitRule.LEASE_MAJORITY : SplitRule.KEEP_MAJORITY;
        options.nodes = 2 + (int) (seed / 3 % 3);
        options.shards = 6;
        options.entities = 12;
        options.lanes = 1;
        options.faultPause = 3_000;
        options.settling = 60_000;
        return options;
    }

    /** Splits of nodes that decide by different rules. */
    public static SimulationOptions differentStrategies(long seed) {
        SimulationOptions options = strategies(seed);
        options.faults.removeAll(Set.of(Fault.ONE_WAY, Fault.DEPOSE, Fault.REGROUP, Fault.MEETING));
        SplitRule weaker = SplitRule.WEAKER.get((int) (seed % 4));
        SplitRule safe = SplitRule.SAFE.get((int) (seed / 4 % 4));
        options.splitRule = seed / 16 % 2 == 0 ? weaker : safe;
        options.otherRule = seed / 16 % 2 == 0 ? safe : weaker;
        options.nodes = Math.max(3, options.nodes);
        return options.with(Fault.JOIN);
    }

    /** Few shards on few nodes, which lose them and get them back, while messages for them are stuck on the way. */
    public static SimulationOptions returns(long seed) {
        SimulationOptions options = new SimulationOptions(seed)
                .with(Fault.STALL, Fault.STRAND, Fault.ONE_WAY, Fault.RECONNECT, Fault.FREEZE, Fault.DEPOSE)
                .with(Fault.HASTY_RESTART);
        options.nodes = 3;
        options.shards = 4;
        options.entities = 8;
        options.lanes = 1;
        options.restless = true;
        options.rebalanceInterval = 250;
        options.sendPause = 100;
        options.slowPercent = 2;
        options.settling = 30_000;
        options.faultPause = 600;
        return options;
    }

    /**
     * What coordinators, regions and the store say comes late, after what was said later, or never, while no node
     * leaves the view.
     */
    public static SimulationOptions lateWords(long seed) {
        SimulationOptions options = new SimulationOptions(seed).with(Fault.REBALANCE, Fault.HASTY_RESTART);
        if (seed % 2 == 0) {
            options.with(Fault.UNWRITTEN, Fault.LATE_ANSWER, Fault.OUSTED, Fault.STORE_STALL);
        } else {
            options.with(
                    seed % 4 == 1
                            ? new Fault[] {Fault.UNHEARD, Fault.DEAF, Fault.LEFT_BEHIND, Fault.RELAPSE, Fault.STRAND}
                            : new Fault[] {Fault.MUFFLED, Fault.SHORT_STALL});
        }
        options.shards = 6;
        options.entities = 12;
        options.lanes = 1;
        options.restless = seed / 4 % 2 == 0;
        options.rebalanceInterval = 300;
        options.sendPause = 80;
        options.faultPause = 900;
        options.drift = 0.047;
        options.settling = 30_000;
        return options;
    }

    /**
     * Code that occupies its thread for longer than anybody waits; every other time its region loses the lease
     * meanwhile.
     */
    public static SimulationOptions longWork(long seed) {
        SimulationOptions options =
                new SimulationOptions(seed).with(Fault.LEAVE, Fault.JOIN, Fault.RESTART, Fault.HASTY_RESTART);
        if (seed % 4 >= 2) {
            options.with(Fault.UNHEARD, Fault.DEAF);
        }
        options.hastyLeaves = true;
        options.slowPercent = 2;
        options.slowMillis = 4_000;
        options.sendPause = 150;
        options.handoffTimeout = 1_000;
        options.patience = seed % 2 == 0 ? 500 : options.patience;
        options.settling = 60_000;
        return options;
    }

    public static SimulationOptions everything(long seed) {
        SimulationOptions options = new SimulationOptions(seed);
        options.faults = EnumSet.range(Fault.CRASH, Fault.ONE_WAY);
        options.bufferSize = seed % 2 == 0 ? 8 : 200;
        options.mailboxSize = seed % 3 == 0 ? 3 : 100;
        options.unknownPercent = 3;
        options.drift = 0.02;
        options.nodes = 3 + (int) (seed % 3);
        options.patience = seed % 4 < 2 ? 60 : options.patience;
        return options;
    }

    /** Crashes among other faults, where a witness tells of dead processes. */
    public static SimulationOptions witnessed(long seed) {
        SimulationOptions options = switch ((int) (seed % 3)) {
            case 0 -> crashes(seed);
            case 1 -> coordinatorChanges(seed);
            default -> everything(seed);
        };
        options.witness = Witnesses.TRUTHFUL;
        return options;
    }

    /** Coordinators, splits and crashes of nodes with leases of different length, with and without a witness. */
    public static SimulationOptions differentLeases(long seed) {
        SimulationOptions options = switch ((int) (seed % 5)) {
            case 0 -> coordinatorChanges(seed);
            case 1 -> partitions(seed);
            case 2 -> strategies(seed);
            case 3 -> everything(seed);
            default -> witnessed(seed);
        };
        options.differentLeases = true;
        options.settling = 60_000;
        return options;
    }

    /** Machines that are suspended, and wall clocks that are set, or wrong by a year. */
    public static SimulationOptions clocks(long seed) {
        SimulationOptions options = switch ((int) (seed % 4)) {
            case 0 -> coordinatorChanges(seed);
            case 1 -> partitions(seed);
            case 2 -> strategies(seed);
            default -> everything(seed);
        };
        options.wrongClocks = true;
        // a term that a node's own clock calls impossible is believed when the record shows it
        options.storeRefusesFirst = false;
        options.duration = 16_000;
        options.faultPause = Math.min(options.faultPause, 800);
        options.settling = 30_000;
        return options.with(Fault.SUSPEND, Fault.COORDINATOR_SUSPEND, Fault.CLOCK_SET, Fault.COORDINATOR_CLOCK_SET);
    }

    /**
     * Three types: one on every node, one with proxies that waits for more than one host, and one that begins late on
     * some nodes.
     */
    public static SimulationOptions severalTypes(long seed) {
        SimulationOptions options = switch ((int) (seed % 6)) {
            case 0 -> plannedMoves(seed);
            case 1 -> crashes(seed);
            case 2 -> partitions(seed);
            case 3 -> abdications(seed);
            case 4 -> strategies(seed);
            default -> everything(seed);
        };
        options.shards = 6;
        options.entities = 12;
        options.more = List.of(
                new SimType("patient", 'f', 4, 6, 2 + (int) (seed / 6 % 2), 6, 4),
                new SimType("late", 'g', 3, 6, 1, 4, 2));
        options.settling = 30_000;
        return options.with(Fault.HOST_TYPE);
    }

    /** Drains, and announced stops of the whole cluster; every third time beside crashes. */
    public static SimulationOptions farewells(long seed) {
        SimulationOptions options = new SimulationOptions(seed)
                .with(Fault.DRAIN, Fault.RETREAT, Fault.ANNOUNCE, Fault.JOIN, Fault.REBALANCE);
        options.lease = 4_000;
        options.shards = 8;
        options.entities = 16;
        options.nodes = 3 + (int) (seed % 3);
        options.duration = 20_000;
        options.faultPause = seed % 3 == 1 ? 2_500 : 900;
        options.keepsLeases = seed % 3 != 0;
        if (options.keepsLeases) {
            options.with(Fault.LEAVE, Fault.COORDINATOR_LEAVE);
        } else {
            options.with(Fault.CRASH, Fault.COORDINATOR_CRASH);
        }
        return options;
    }

    /** Operators order what shards and nodes are to do, while shards move, nodes crash, coordinators change or part. */
    public static SimulationOptions ordered(long seed) {
        SimulationOptions options = switch ((int) (seed % 5)) {
            case 0 -> plannedMoves(seed);
            case 1 -> crashes(seed);
            case 2 -> coordinatorChanges(seed);
            case 3 -> partitions(seed);
            default -> severalTypes(6 * (seed / 5));
        };
        options.faultPause = Math.min(options.faultPause, 600);
        options.ordersFail = true;
        return options.with(Fault.ORDER, Fault.DRAIN);
    }

    /** Coordinators leave in good order while words of regions are lost. */
    private static SimulationOptions abdications(long seed) {
        SimulationOptions options = new SimulationOptions(seed)
                .with(Fault.COORDINATOR_LEAVE, Fault.JOIN, Fault.MUFFLED, Fault.REBALANCE, Fault.DRAIN, Fault.RETREAT);
        options.faultPause = 500;
        return options;
    }

    /** Shards need outside leases, which come late, are refused, and are lost. */
    public static SimulationOptions leased(long seed) {
        SimulationOptions options = seed % 2 == 0 ? everything(seed) : crashes(seed);
        options.leased = true;
        return options;
    }

    /** Entities are remembered, by a store that stalls and fails. */
    public static SimulationOptions remembered(long seed) {
        SimulationOptions options = switch ((int) (seed % 5)) {
            case 0 -> plannedMoves(seed);
            case 1 -> crashes(seed);
            case 2 -> partitions(seed);
            case 3 -> coordinatorChanges(seed);
            default -> everything(seed);
        };
        options.remembering = true;
        options.settling = 30_000;
        // without the store a region that leaves cannot deliver what waits for it
        return options.plannedOnly ? options : options.with(Fault.MEMORY_STALL);
    }

    /** Few entities may be active, so that they are passivated all the time, while shards move and nodes crash. */
    public static SimulationOptions passivating(long seed) {
        SimulationOptions options = seed % 3 == 0 ? plannedMoves(seed) : crashes(seed);
        Idle idle = seed % 4 == 0 ? new Idle(150, 50) : null;
        Order[] orders = Order.values();
        Order order = orders[(int) (seed / 4 % orders.length)];
        Window window = new Window(Replacing.RECENT, 0.3, 0.1, 1);
        Admission admission = new Admission(window, new Sketch(4, 4, 4, 10), new Climbing(2, 0.3, 0.5, 0.9));
        boolean composite = seed / 16 % 2 == 0;
        options.passivation = new PassivationSettings(
                idle,
                new ActiveLimit(2 + (int) (seed % 7), new Replacing(order, List.of()), composite ? admission : null));
        return options;
    }

    @Override
    public String toString() {
        return "seed=" + seed + " faults=" + faults + " nodes=" + nodes + " shards=" + shards + " lanes=" + lanes
                + " bufferSize=" + bufferSize + " mailboxSize=" + mailboxSize + " lease=" + lease
                + (differentLeases ? " to " + 3 * lease : "") + " handoffTimeout="
                + handoffTimeout + " unknownPercent=" + unknownPercent + " drift=" + drift + " wrongClocks="
                + wrongClocks + " witness=" + witness
                + " splitRule=" + splitRule + " otherRule=" + otherRule + " leased=" + leased + " remembering="
                + remembering + " passivation="
                + passivation
                + " plannedOnly=" + plannedOnly;
    }
}
