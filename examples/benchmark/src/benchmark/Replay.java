package benchmark;

import io.shardbus.core.passivation.LanePassivation;
import io.shardbus.core.passivation.PassivationNode;
import io.shardbus.core.passivation.PassivationSettings;
import io.shardbus.core.passivation.RegionShare;
import io.shardbus.core.passivation.ShardPassivation;
import java.util.HashMap;
import java.util.Map;

/**
 * One shard whose entities are woken by a trace and passivated by a policy at once; a millisecond passes with each
 * access.
 */
final class Replay implements RegionShare {
    private final Map<String, PassivationNode> active = new HashMap<>();
    private final LanePassivation lane;
    private final ShardPassivation shard;
    private final int limit;
    private long hits;
    private long live;

    private Replay(PassivationSettings settings, int limit) {
        this.limit = limit;
        lane = new LanePassivation(settings, this);
        shard = lane.open(victim -> active.remove(victim.id()));
    }

    /**
     * What a policy made of a trace.
     *
     * @param hitRate the share of accesses that found their entity active
     * @param live how many were active on average
     */
    record Outcome(String trace, String policy, double hitRate, double live) {}

    static Outcome of(Trace trace, Policy policy, int limit, int accesses) {
        var replay = new Replay(policy.settings(), limit);
        for (int n = 0; n < accesses; n++) {
            replay.access(Integer.toString(trace.id().applyAsInt(n)), n);
        }
        return new Outcome(
                trace.name(), policy.name(), (double) replay.hits / accesses, (double) replay.live / accesses);
    }

    private void access(String id, long now) {
        lane.tick(now);
        var present = active.get(id);
        if (present == null) {
            var entity = new PassivationNode(() -> id);
            active.put(id, entity);
            shard.started(entity, now);
        } else {
            hits++;
            shard.touched(present, now);
        }
        live += active.size();
    }

    @Override
    public void shards(int change) {}

    @Override
    public int shards() {
        return 1;
    }

    @Override
    public int limit() {
        return limit;
    }
}
