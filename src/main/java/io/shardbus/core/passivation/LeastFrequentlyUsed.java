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
    public void add(PassivationNode node) {
        size++;
        put(node, age + 1);
    }

    private void put(PassivationNode node, long uses) {
        byUses.computeIfAbsent(uses, RecencyList::new).add(node);
    }

    @Override
    public void touch(PassivationNode node) {
        put(node, take(node) + 1);
    }

    private long take(PassivationNode node) {
        RecencyList list = Objects.requireNonNull(node.list, "an entity of this order is in a list");
        list.remove(node);
        if (list.size() == 0) {
            byUses.remove(list.rank);
        }
        return list.rank;
    }

    @Override
    public void remove(PassivationNode node) {
        size--;
        take(node);
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
