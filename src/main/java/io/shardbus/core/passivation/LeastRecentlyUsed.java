package io.shardbus.core.passivation;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The one whose last message is longest ago goes first. With several levels a newcomer begins in the lowest and rises
 * with each touch; a level that holds more than its share gives its oldest to the one below, and the lowest level goes
 * first.
 */
final class LeastRecentlyUsed implements Replacement {
    /**
     * A share of a whole number, such as 0.29 of 100, may come out as a little less than the whole number that it is.
     */
    private static final double ROUNDING = 1e-6;

    private final List<Double> proportions;
    private final RecencyList[] levels;
    private final int[] most;

    /** @param proportions the levels' shares, lowest first; one level if empty */
    LeastRecentlyUsed(List<Double> proportions) {
        this.proportions = proportions;
        levels = new RecencyList[Math.max(1, proportions.size())];
        most = new int[levels.length];
        for (int level = 0; level < levels.length; level++) {
            levels[level] = new RecencyList(level);
        }
    }

    @Override
    public int size() {
        int size = 0;
        for (RecencyList level : levels) {
            size += level.size();
        }
        return size;
    }

    @Override
    public void limit(int entities) {
        for (int level = levels.length - 1; level > 0; level--) {
            most[level] = share(proportions.get(level), entities);
        }
        demoteFrom(levels.length - 1);
    }

    /** The whole number that is a share of a limit. */
    static int share(double proportion, int entities) {
        return (int) (proportion * entities + ROUNDING);
    }

    private void demoteFrom(int highest) {
        for (int level = highest; level > 0; level--) {
            while (levels[level].size() > most[level]) {
                PassivationNode oldest =
                        Objects.requireNonNull(levels[level].oldest(), "a level of this size has an oldest");
                levels[level].remove(oldest);
                levels[level - 1].add(oldest);
            }
        }
    }

    @Override
    public void add(PassivationNode node) {
        levels[0].add(node);
    }

    @Override
    public void touch(PassivationNode node) {
        RecencyList list = levelOf(node);
        int level = (int) list.rank;
        if (level == levels.length - 1) {
            list.touch(node);
        } else {
            list.remove(node);
            levels[level + 1].add(node);
            demoteFrom(level + 1);
        }
    }

    private static RecencyList levelOf(PassivationNode node) {
        return Objects.requireNonNull(node.list, "an entity of this order is in a list");
    }

    @Override
    public void remove(PassivationNode node) {
        levelOf(node).remove(node);
    }

    @Override
    public @Nullable PassivationNode next() {
        for (RecencyList level : levels) {
            PassivationNode oldest = level.oldest();
            if (oldest != null) {
                return oldest;
            }
        }
        return null;
    }
}
