package io.shardbus.core.passivation;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Passivation of one shard: learns of every message, and chooses the instances to passivate. */
public final class ShardPassivation {
    private final @Nullable IdleList idle;
    private final @Nullable LimitPolicy limit;
    private final Consumer<PassivationNode> victims;
    private long hits;
    private long misses;

    ShardPassivation(PassivationSettings settings, Consumer<PassivationNode> victims) {
        this.victims = victims;
        this.idle = settings.idle() == null ? null : new IdleList();
        this.limit = settings.limit() == null ? null : LimitPolicy.of(settings.limit(), this::evicted);
    }

    @Nullable
    LimitPolicy policy() {
        return limit;
    }

    /** Number of messages that met an instance which counts. */
    public long hits() {
        return hits;
    }

    /** Number of messages that found no live instance, so that one had to start. */
    public long misses() {
        return misses;
    }

    /** An instance starts: it counts from now on, unless it did already. It may be a victim at once. */
    public void started(PassivationNode node, long now) {
        if (node.counted || (idle == null && limit == null)) {
            return;
        }
        misses += node.isWanted() ? 1 : 0;
        node.counted = true;
        if (idle != null) {
            idle.add(node, now);
        }
        if (limit != null) {
            limit.add(node);
        }
    }

    /** A message came. One that is being passivated stays on its way out. */
    public void touched(PassivationNode node, long now) {
        if (!node.counted) {
            return;
        }
        hits++;
        if (idle != null) {
            idle.touch(node, now);
        }
        if (limit != null) {
            limit.touch(node);
        }
    }

    /** The instance is gone, or about to go by its own wish. */
    public void ended(PassivationNode node) {
        if (!node.counted) {
            return;
        }
        node.counted = false;
        if (idle != null) {
            idle.remove(node);
        }
        if (limit != null) {
            limit.remove(node);
        }
    }

    private void evicted(PassivationNode victim) {
        victim.counted = false;
        if (idle != null) {
            idle.remove(victim);
        }
        victims.accept(victim);
    }

    void limit(int entities) {
        if (limit != null) {
            limit.limit(entities);
        }
    }

    /**
     * Passivates instances that have had no message for the timeout, unless messages wait for them.
     *
     * @param most instances that it looks at
     * @return at how many it looked
     */
    int expire(long now, long timeout, int most) {
        int seen = 0;
        PassivationNode first = idle == null ? null : idle.first();
        while (idle != null && first != null && now - first.touched >= timeout && seen < most) {
            if (first.isAwaited()) {
                idle.touch(first, now);
            } else {
                ended(first);
                victims.accept(first);
            }
            seen++;
            first = idle.first();
        }
        return seen;
    }
}
