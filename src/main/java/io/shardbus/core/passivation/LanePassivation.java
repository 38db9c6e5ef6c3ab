package io.shardbus.core.passivation;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/** The policies of a lane's shards: divides the region's limit, and looks for the idle from time to time. */
public final class LanePassivation {
    /** Number of idle entities that are passivated in one tick at most: the rest follows in the next. */
    private static final int MOST_AT_ONCE = 1000;

    private final PassivationSettings settings;
    private final RegionShare region;
    private final Set<ShardPassivation> shards = new LinkedHashSet<>();
    private int share;
    /** Of shards that are gone. */
    private long formerHits;

    private long formerMisses;
    private long nextCheck = Long.MIN_VALUE;

    public LanePassivation(PassivationSettings settings, RegionShare region) {
        this.settings = settings;
        this.region = region;
    }

    /** Passivates no entity. */
    public static LanePassivation none() {
        return new LanePassivation(PassivationSettings.NONE, new NoShare());
    }

    private static final class NoShare implements RegionShare {
        @Override
        public void shards(int change) {}

        @Override
        public int shards() {
            return 1;
        }

        @Override
        public int limit() {
            return Integer.MAX_VALUE;
        }
    }

    /** A shard is hosted here from now on; every shard's limit falls at once. */
    public ShardPassivation open(Consumer<PassivationNode> victims) {
        region.shards(1);
        ShardPassivation shard = new ShardPassivation(settings, victims);
        shards.add(shard);
        divide();
        shard.limit(share);
        return shard;
    }

    /** The shard is gone. */
    public void close(ShardPassivation shard) {
        if (shards.remove(shard)) {
            formerHits += shard.hits();
            formerMisses += shard.misses();
            region.shards(-1);
            divide();
        }
    }

    /** Number of messages that met an instance which counts as active; 0 without a policy. */
    public long hits() {
        return formerHits + shards.stream().mapToLong(ShardPassivation::hits).sum();
    }

    /** Number of messages that found none, so that one had to start; 0 without a policy. */
    public long misses() {
        return formerMisses
                + shards.stream().mapToLong(ShardPassivation::misses).sum();
    }

    /** Time passed: follows the region's limit and number of shards, and puts the idle away. */
    public void tick(long now) {
        divide();
        PassivationSettings.Idle idle = settings.idle();
        if (idle == null || now < nextCheck) {
            return;
        }
        int left = MOST_AT_ONCE;
        for (ShardPassivation shard : shards) {
            left -= shard.expire(now, idle.timeout(), left);
        }
        if (left > 0) {
            nextCheck = now + idle.interval();
        }
    }

    /** Each shard may keep one entity at least. */
    private void divide() {
        if (settings.limit() == null) {
            return;
        }
        int present = Math.max(1, region.limit() / Math.max(1, region.shards()));
        if (present != share) {
            share = present;
            shards.forEach(shard -> shard.limit(present));
        }
    }
}
