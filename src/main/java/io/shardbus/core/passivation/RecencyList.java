package io.shardbus.core.passivation;

import org.jspecify.annotations.Nullable;

/** Residents from the one touched longest ago to the one touched last; every step takes constant time. */
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
    void add(PassivationNode resident) {
        resident.list = this;
        resident.older = newest;
        resident.newer = null;
        if (newest == null) {
            oldest = resident;
        } else {
            newest.newer = resident;
        }
        newest = resident;
        size++;
    }

    void remove(PassivationNode resident) {
        PassivationNode before = resident.older;
        PassivationNode after = resident.newer;
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
        resident.list = null;
        resident.older = null;
        resident.newer = null;
        size--;
    }

    /** One of this list is the newest from now on. */
    void touch(PassivationNode resident) {
        if (newest != resident) {
            remove(resident);
            add(resident);
        }
    }
}
