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

    void add(PassivationNode node, long now) {
        node.touched = now;
        node.idleBefore = last;
        node.idleAfter = null;
        if (last == null) {
            first = node;
        } else {
            last.idleAfter = node;
        }
        last = node;
    }

    void touch(PassivationNode node, long now) {
        if (last == node) {
            node.touched = now;
        } else {
            remove(node);
            add(node, now);
        }
    }

    void remove(PassivationNode node) {
        PassivationNode before = node.idleBefore;
        PassivationNode after = node.idleAfter;
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
        node.idleBefore = null;
        node.idleAfter = null;
    }
}
