package io.shardbus.simulation;

import io.shardbus.core.passivation.PassivationSettings.ActiveLimit;
import io.shardbus.core.passivation.RegionShare;

/** What the lanes of one node share for passivation. The limit rises and falls with time. */
final class SharedPassivation implements RegionShare {
    private static final long LIMIT_STAYS = 700;

    private final SimNode node;
    private int shards;
    private int putAway;
    private int wishes;

    SharedPassivation(SimNode node) {
        this.node = node;
    }

    /** Those passivated by the policy, at the least: not every wish is one of an entity that would have stayed. */
    int putAwayByPolicy() {
        return putAway - wishes;
    }

    void entityPassivated() {
        putAway++;
    }

    void entityWishes() {
        wishes++;
    }

    @Override
    public void shards(int change) {
        shards += change;
    }

    @Override
    public int shards() {
        return shards;
    }

    @Override
    public int limit() {
        ActiveLimit limit = node.world.options().passivation.limit();
        int entities = limit == null ? 0 : limit.entities();
        return node.clock() / LIMIT_STAYS % 2 == 0 ? entities : 3 * entities;
    }

    /** How many entities may be active at any time. */
    int most() {
        ActiveLimit limit = node.world.options().passivation.limit();
        return limit == null ? Integer.MAX_VALUE : Math.max(shards, 3 * limit.entities());
    }
}
