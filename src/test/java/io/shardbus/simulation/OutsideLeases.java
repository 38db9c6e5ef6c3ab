package io.shardbus.simulation;

import io.shardbus.model.NodeId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * One node's outside leases, from an arbiter that all nodes share: it answers late, refuses now and then, and takes
 * some away.
 */
final class OutsideLeases {
    private static final long RETRY = 60;
    private static final int LONGEST_HOLD = 4_000;

    private final SimNode node;
    private final Simulation world;
    private final Map<Integer, NodeId> holders;
    private final BiConsumer<Integer, Boolean> changed;
    private final Set<Integer> wanted = new HashSet<>();
    private final Map<Integer, Integer> rounds = new HashMap<>();

    OutsideLeases(SimNode node, SimType type, BiConsumer<Integer, Boolean> changed) {
        this.node = node;
        this.world = node.world;
        this.holders = world.leaseHolders(type);
        this.changed = changed;
    }

    boolean mayHost(int shard) {
        return !world.options().leased || rounds.containsKey(shard);
    }

    void want(int shard, boolean is) {
        if (is) {
            wanted.add(shard);
            ask(shard);
        } else {
            wanted.remove(shard);
            release(shard);
        }
    }

    private void ask(int shard) {
        world.scheduler().after(1 + node.dice.nextInt(30), () -> node.onControl(0, () -> answered(shard)));
    }

    private void answered(int shard) {
        if (!wanted.contains(shard)) {
            return;
        }
        NodeId holder = holders.get(shard);
        boolean free = holder == null || holder.equals(node.id) || world.node(holder) == null;
        if (!free || node.dice.nextInt(5) == 0) {
            world.scheduler().after(RETRY, () -> node.onControl(0, () -> answered(shard)));
            return;
        }
        holders.put(shard, node.id);
        wanted.remove(shard);
        int round = node.dice.nextInt();
        rounds.put(shard, round);
        changed.accept(shard, true);
        if (!world.isAtRest() && node.dice.nextInt(4) == 0) {
            world.scheduler().after(node.dice.nextInt(LONGEST_HOLD), () -> node.onControl(0, () -> lose(shard, round)));
        }
    }

    private void lose(int shard, int round) {
        if (rounds.remove(shard, round)) {
            world.timeline().turn(node, "loses lease", shard);
            holders.remove(shard, node.id);
            changed.accept(shard, false);
        }
    }

    void release(int shard) {
        if (rounds.remove(shard) != null) {
            holders.remove(shard, node.id);
        }
    }
}
