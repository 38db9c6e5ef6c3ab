package io.shardbus.core.passivation;

import org.jspecify.annotations.Nullable;

/**
 * Evicts the entity whose message is the latest: the best order for a loop over more ids than the limit.
 */
final class MostRecentlyUsed implements Replacement {
    private final RecencyList nodes = new RecencyList(0);

    @Override
    public int size() {
        return nodes.size();
    }

    @Override
    public void limit(int most) {}

    @Override
    public void add(PassivationNode node) {
        nodes.add(node);
    }

    @Override
    public void touch(PassivationNode node) {
        nodes.touch(node);
    }

    @Override
    public void remove(PassivationNode node) {
        nodes.remove(node);
    }

    @Override
    public @Nullable PassivationNode next() {
        return nodes.newest();
    }
}
