package io.shardbus.core.passivation;

import org.jspecify.annotations.Nullable;

/**
 * The one whose message is the latest goes first: what a loop over more ids than there may be active gains most from.
 */
final class MostRecentlyUsed implements Replacement {
    private final RecencyList residents = new RecencyList(0);

    @Override
    public int size() {
        return residents.size();
    }

    @Override
    public void limit(int most) {}

    @Override
    public void add(PassivationNode resident) {
        residents.add(resident);
    }

    @Override
    public void touch(PassivationNode resident) {
        residents.touch(resident);
    }

    @Override
    public void remove(PassivationNode resident) {
        residents.remove(resident);
    }

    @Override
    public @Nullable PassivationNode next() {
        return residents.newest();
    }
}
