package io.shardbus.core.passivation;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The one with the fewest messages goes first, among equals the one whose last message is longest ago. With aging a
 * newcomer begins with as many uses as the last victim had, so that favourites of former times give way.
 */
final class LeastFrequentlyUsed implements Replacement {
    private final boolean aging;
    private final TreeMap<Long, RecencyList> byUses = new TreeMap<>();
    private int size;
    private long age;

    LeastFrequentlyUsed(boolean aging) {
        this.aging = aging;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public void limit(int most) {}

    @Override
    public void add(PassivationNode resident) {
        size++;
        put(resident, age + 1);
    }

    private void put(PassivationNode resident, long uses) {
        byUses.computeIfAbsent(uses, RecencyList::new).add(resident);
    }

    @Override
    public void touch(PassivationNode resident) {
        put(resident, take(resident) + 1);
    }

    private long take(PassivationNode resident) {
        RecencyList list = Objects.requireNonNull(resident.list, "a resident of this order is in a list");
        list.remove(resident);
        if (list.size() == 0) {
            byUses.remove(list.rank);
        }
        return list.rank;
    }

    @Override
    public void remove(PassivationNode resident) {
        size--;
        take(resident);
    }

    @Override
    public @Nullable PassivationNode next() {
        Map.Entry<Long, RecencyList> fewest = byUses.firstEntry();
        return fewest == null ? null : fewest.getValue().oldest();
    }

    @Override
    public @Nullable PassivationNode evict() {
        if (aging && !byUses.isEmpty()) {
            age = byUses.firstKey();
        }
        return Replacement.super.evict();
    }
}
