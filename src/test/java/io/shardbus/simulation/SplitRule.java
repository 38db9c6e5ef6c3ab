package io.shardbus.simulation;

import io.shardbus.core.splitbrain.DownAll;
import io.shardbus.core.splitbrain.KeepMajority;
import io.shardbus.core.splitbrain.KeepOldest;
import io.shardbus.core.splitbrain.LeaseMajority;
import io.shardbus.core.splitbrain.SplitStrategy;
import io.shardbus.core.splitbrain.StaticQuorum;
import io.shardbus.core.splitbrain.StoreMajority;
import io.shardbus.core.splitbrain.TieBreak;
import io.shardbus.model.SafetyOptions;
import java.util.List;
import java.util.Map;

/** By which rule the sides of a split decide, in a run. */
enum SplitRule {
    /** The caches' majority has the word at once: nodes have no decisions of their own. */
    UNDECIDED,
    KEEP_MAJORITY,
    STATIC_QUORUM,
    DOWN_ALL,
    LEASE_MAJORITY,
    /** The oldest goes on unless it is alone. */
    KEEP_OLDEST,
    KEEP_OLDEST_EVEN_ALONE,
    LOWEST_OF_HALVES,
    OLDEST_OF_HALVES;

    static final List<SplitRule> SAFE = List.of(KEEP_MAJORITY, STATIC_QUORUM, DOWN_ALL, LEASE_MAJORITY);
    static final List<SplitRule> WEAKER =
            List.of(KEEP_OLDEST, KEEP_OLDEST_EVEN_ALONE, LOWEST_OF_HALVES, OLDEST_OF_HALVES);

    boolean decides() {
        return this != UNDECIDED;
    }

    /** Whether nothing is promised when a split comes while another one lasts. */
    boolean isWeaker() {
        return WEAKER.contains(this);
    }

    /** What a node with this rule says of itself. */
    SafetyOptions options() {
        return SafetyOptions.of(Map.of("splitBrain", name()));
    }

    /** @param nodes how many the cluster begins with: the quorum is more than half of them */
    SplitStrategy strategy(int nodes) {
        return switch (this) {
            case UNDECIDED, KEEP_MAJORITY -> new StoreMajority();
            case STATIC_QUORUM -> new StaticQuorum(nodes / 2 + 1, "");
            case DOWN_ALL -> new DownAll();
            case LEASE_MAJORITY -> new LeaseMajority("");
            case KEEP_OLDEST -> new KeepOldest(true, "");
            case KEEP_OLDEST_EVEN_ALONE -> new KeepOldest(false, "");
            case LOWEST_OF_HALVES -> new KeepMajority("", TieBreak.LOWEST_ADDRESS);
            case OLDEST_OF_HALVES -> new KeepMajority("", TieBreak.OLDEST);
        };
    }
}
