package io.shardbus.simulation;

/** What may happen to the cluster. */
public enum Fault {
    CRASH,
    COORDINATOR_CRASH,
    JOIN,
    LEAVE,
    COORDINATOR_LEAVE,
    /** Connections break, with what is under way. */
    CUT,
    /** Connections break and begin anew; what was under way comes late, twice, or not at all. */
    RECONNECT,
    /** A connection carries nothing for a while. */
    STALL,
    SHORT_STALL,
    /** Messages to a region are stuck, while it loses its lease and comes back. */
    STRAND,
    /**
     * The coordinator's confirmations go on, a region's heartbeats do not reach it; then it is cut off, and does
     * not know.
     */
    DEPOSE,
    /** The store takes its time; outcomes become unknown. */
    STORE_STALL,
    REBALANCE,
    /** A node is emptied, and leaves; or the drain is taken back in the middle. */
    DRAIN,
    /** A region leaves, and another one begins on its node, which goes on. */
    RESTART,
    /** A region stops, perhaps without a word, and another one begins on its node at once. */
    HASTY_RESTART,
    FREEZE,
    COORDINATOR_FREEZE,
    /** Two sides. */
    PARTITION,
    /** Up to four sides. */
    SHATTER,
    ONE_WAY,
    /** The store of remembered ids takes its time, and fails; outcomes are unknown. */
    MEMORY_STALL,
    /** The sides of a split are others from now on: some meet, others part. */
    REGROUP,
    /** Of three sides, one of which went on, two meet. */
    MEETING,
    /** What a region says does not reach the coordinator, for less than a lease. */
    MUFFLED,
    /** What a region says does not reach the coordinator for two leases; its node is a member all the time. */
    UNHEARD,
    /** What the coordinator says does not reach a region for two leases; its node is a member all the time. */
    DEAF,
    /**
     * A connection carries nothing for a while, then a new one is there, and all that came since is late beside it.
     */
    LEFT_BEHIND,
    /** A region loses its lease twice, and its first registration comes after its second one. */
    RELAPSE,
    /**
     * The coordinator reads the record and cannot write it, while a region is cut off from its possible successors.
     */
    UNWRITTEN,
    /** The coordinator hears late that its writes took hold, and is then cut off. */
    LATE_ANSWER,
    /** The others have lost the coordinator and found it again before it hears of that. */
    OUSTED,
    /** A machine is suspended, and its monotonic clock with it; its wall clock may be set meanwhile. */
    SUSPEND,
    COORDINATOR_SUSPEND,
    /** A wall clock is set forward or back. */
    CLOCK_SET,
    COORDINATOR_CLOCK_SET,
    /** Processes start, alone or in groups, where they reach none of the others for a while. */
    START_APART,
    /** All but one or two leave in order, one soon after the other. */
    EXODUS,
    /** All processes crash, and some start again. */
    BLACKOUT,
    /** A process crashes, and another one holds its seat a moment later, on its side of a split or cut off. */
    SEAT_RESTART,
    /** All seats go, the last by a crash, start behind a cut, and one of them starts again among those who stayed. */
    RELICT,
    /** The seats found the cluster anew behind a cut, and one of them comes back to those without a seat. */
    SECESSION,
    /**
     * A seat waits behind a cut; the others crash, and start beside it while those who stayed still hold leases.
     */
    LATECOMER,
    /** A node is cut off, or stands still; processes join the others, which die one by one before it is back. */
    OUTLIVED,
    /** A minority is cut off, and processes start on its side. */
    GROWING_MINORITY,
    /** All but one process crash at once and start again, and one without a seat does so again and again. */
    CRASH_LOOP,
    /**
     * A process crashes, and no witness ever hears of it; another one has its seat. Later all but one crash at once,
     * and their seats are taken within a lease.
     */
    LOST_AGAIN,
    /** A node asks for its own drain again and again before it leaves, while the coordinator may crash. */
    RETREAT,
    /** The stop of the whole cluster is announced, some leave, and the announcement is taken back. */
    ANNOUNCE,
    /** A type begins on a node that has none of it, or the proxy there becomes a host. */
    HOST_TYPE,
    /** A shard is moved or pinned, a node is cordoned, or rebalancing is paused, and that is taken back later. */
    ORDER
}
