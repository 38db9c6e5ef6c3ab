package io.shardbus.core.passivation;

import org.jspecify.annotations.Nullable;

/** Entities from the one touched longest ago to the one touched last; every step takes constant time. */
final class RecencyList {
    /** Rank by which its owner tells lists apart: a level, or a number of uses. */
    final long rank;

    private @Nullable PassivationNode oldest;
    private @Nullable PassivationNode newest;
    private int size;

    RecencyList(long rank) {
        this.rank = rank;
    }

    int size() {
        return size;
    }

    @Nullable
    PassivationNode oldest() {
        return oldest;
    }

    @Nullable
    PassivationNode newest() {
        return newest;
    }

    /** Puts an entity that is in no list at the end of the newest. */
    void add(PassivationNode node) {
        node.list = this;
        node.older = newest;
        node.newer = null;
        if (newest == null) {
            oldest = node;
        } else {
            newest.newer = node;
        }
        newest = node;
        size++;
    }

    void remove(PassivationNode node) {
        PassivationNode before = node.older;
        PassivationNode after = node.newer;
        if (before == null) {
            oldest = after;
        } else {
            before.newer = after;
        }
        if (after == null) {
            newest = before;
        } else {
            after.older = before;
        }
        node.list = null;
        node.older = null;
        node.newer = null;
        size--;
    }

    /** One of this list is the newest from now on. */
    void touch(PassivationNode node) {
        if (newest != node) {
            remove(node);
            add(node);
        }
    }
}
