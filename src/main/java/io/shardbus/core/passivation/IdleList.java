package io.shardbus.core.passivation;

import org.jspecify.annotations.Nullable;

/** All active entities of a shard by their last message: only those that are idle for too long are ever looked at. */
final class IdleList {
    private @Nullable PassivationNode first;
    private @Nullable PassivationNode last;

    /** The one that is idle for longest. */
    @Nullable
    PassivationNode first() {
        return first;
    }

    void add(PassivationNode resident, long now) {
        resident.touched = now;
        resident.idleBefore = last;
        resident.idleAfter = null;
        if (last == null) {
            first = resident;
        } else {
            last.idleAfter = resident;
        }
        last = resident;
    }

    void touch(PassivationNode resident, long now) {
        if (last == resident) {
            resident.touched = now;
        } else {
            remove(resident);
            add(resident, now);
        }
    }

    void remove(PassivationNode resident) {
        PassivationNode before = resident.idleBefore;
        PassivationNode after = resident.idleAfter;
        if (before == null) {
            first = after;
        } else {
            before.idleAfter = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.idleBefore = before;
        }
        resident.idleBefore = null;
        resident.idleAfter = null;
    }
}
