package io.shardbus.core.passivation;

import io.shardbus.core.passivation.PassivationSettings.ActiveLimit;
import io.shardbus.core.passivation.PassivationSettings.Admission;
import io.shardbus.core.passivation.PassivationSettings.Order;
import io.shardbus.core.passivation.PassivationSettings.Replacing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One region on one lane with several shards, whose entities are numbers and end as soon as they are victims. */
final class PassivationRig implements RegionShare {
    private final LanePassivation lane;
    private final Map<Integer, ShardPassivation> shards = new TreeMap<>();
    private final Map<Integer, TreeMap<Integer, PassivationNode>> active = new TreeMap<>();
    private final List<Integer> victims = new ArrayList<>();
    private int limit;
    private int open;
    private long putAway;
    long now;

    private PassivationRig(PassivationSettings settings) {
        this.limit = settings.limit() == null ? 0 : settings.limit().entities();
        this.lane = new LanePassivation(settings, this);
    }

    static PassivationRig of(PassivationSettings settings) {
        return new PassivationRig(settings);
    }

    static PassivationRig limited(int limit, Order order, Double... proportions) {
        return composite(limit, new Replacing(order, List.of(proportions)), null);
    }

    static PassivationRig composite(int limit, Replacing main, @Nullable Admission admission) {
        return of(new PassivationSettings(null, new ActiveLimit(limit, main, admission)));
    }

    /** These ids, in this order. */
    static int[] ids(int first, int last) {
        return first <= last
                ? IntStream.rangeClosed(first, last).toArray()
                : IntStream.iterate(first, id -> id >= last, id -> id - 1).toArray();
    }

    /** Touches the ids once each, and returns the victims in their order. */
    List<Integer> touch(int shard, int... ids) {
        victims.clear();
        for (int id : ids) {
            message(shard, id);
        }
        return List.copyOf(victims);
    }

    /** Touches each id so many times before the next. */
    List<Integer> touchTimes(int shard, int times, int... ids) {
        return touch(
                shard,
                IntStream.of(ids)
                        .flatMap(id -> IntStream.range(0, times).map(i -> id))
                        .toArray());
    }

    private void message(int shard, int id) {
        ShardPassivation policy = shards.computeIfAbsent(shard, this::open);
        TreeMap<Integer, PassivationNode> here = active.get(shard);
        PassivationNode present = here.get(id);
        if (present != null) {
            policy.touched(present, now);
        } else {
            PassivationNode newcomer = new PassivationNode(() -> Integer.toString(id));
            here.put(id, newcomer);
            policy.started(newcomer, now);
        }
    }

    private ShardPassivation open(int shard) {
        active.put(shard, new TreeMap<>());
        return lane.open(victim -> {
            int id = Integer.parseInt(victim.id());
            victims.add(id);
            putAway++;
            active.get(shard).remove(id);
        });
    }

    /** The shard leaves. */
    void close(int shard) {
        active.remove(shard);
        lane.close(shards.remove(shard));
    }

    /** The entity ends by its own wish. */
    void end(int shard, int id) {
        shards.get(shard).ended(active.get(shard).remove(id));
    }

    /** Another limit while running, as the next tick finds it. */
    List<Integer> limit(int entities) {
        limit = entities;
        return tick(now);
    }

    List<Integer> tick(long moment) {
        now = moment;
        victims.clear();
        lane.tick(now);
        return List.copyOf(victims);
    }

    Set<Integer> active(int shard) {
        return new TreeSet<>(active.get(shard).keySet());
    }

    /** The ids of a shard that a list of its policy holds, by the list's rank. */
    Set<Integer> atRank(int shard, int rank) {
        Set<Integer> found = new TreeSet<>();
        active.get(shard).forEach((id, resident) -> {
            if (!resident.inWindow && resident.list != null && resident.list.rank == rank) {
                found.add(id);
            }
        });
        return found;
    }

    Set<Integer> inWindow(int shard) {
        Set<Integer> found = new TreeSet<>();
        active.get(shard).forEach((id, resident) -> {
            if (resident.inWindow) {
                found.add(id);
            }
        });
        return found;
    }

    /** The places of a composite's window. */
    int windowLimit(int shard) {
        return ((CompositeLimit) shards.get(shard).policy()).windowLimit();
    }

    long putAway() {
        return putAway;
    }

    @Override
    public void shards(int change) {
        open += change;
    }

    @Override
    public int shards() {
        return open;
    }

    @Override
    public int limit() {
        return limit;
    }
}
