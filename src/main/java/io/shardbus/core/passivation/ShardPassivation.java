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

    /** Number of messages that found none, so that one had to start. */
    public long misses() {
        return misses;
    }

    /** An instance starts: it counts from now on, unless it did already. It may be a victim at once. */
    public void started(PassivationNode resident, long now) {
        if (resident.counted || (idle == null && limit == null)) {
            return;
        }
        misses += resident.isWanted() ? 1 : 0;
        resident.counted = true;
        if (idle != null) {
            idle.add(resident, now);
        }
        if (limit != null) {
            limit.add(resident);
        }
    }

    /** A message came. One that is being put away stays on its way out. */
    public void touched(PassivationNode resident, long now) {
        if (!resident.counted) {
            return;
        }
        hits++;
        if (idle != null) {
            idle.touch(resident, now);
        }
        if (limit != null) {
            limit.touch(resident);
        }
    }

    /** The instance is gone, or about to go by its own wish. */
    public void ended(PassivationNode resident) {
        if (!resident.counted) {
            return;
        }
        resident.counted = false;
        if (idle != null) {
            idle.remove(resident);
        }
        if (limit != null) {
            limit.remove(resident);
        }
    }

    private void evicted(PassivationNode victim) {
        victim.counted = false;
        if (idle != null) {
            idle.remove(victim);
        }
        victims.accept(victim);
    }

    void limit(int residents) {
        if (limit != null) {
            limit.limit(residents);
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
