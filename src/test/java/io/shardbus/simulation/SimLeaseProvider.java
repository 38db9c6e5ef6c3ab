package io.shardbus.simulation;

import io.shardbus.model.NodeId;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A provider of external leases of one type's shards, which all nodes share: it answers late, refuses and fails now and
 * then, with or without an effect, and takes some leases away, a few before the answer that they are held.
 */
final class SimLeaseProvider {
    private static final int LONGEST_HOLD = 4_000;
    /** A lease whose release failed has expired by then. */
    private static final long EXPIRES_WITHIN = 500;

    /** One holding of a lease. */
    record Grant(NodeId owner, long number) {}

    /** One request for a lease; called on the node's control loop. */
    interface Request {
        /** @param grant what the node holds from now on; null where another owner has it */
        void answered(@Nullable Grant grant);

        void failed();

        void lost(Grant grant);
    }

    private final Simulation world;
    private final SplittableRandom dice;
    private final Map<Integer, Grant> holders = new HashMap<>();
    private long grants;

    SimLeaseProvider(Simulation world, SimType type) {
        this.world = world;
        this.dice = world.dice("leases " + type.name());
    }

    /** The node that holds the lease; null if it is free. */
    @Nullable
    NodeId holder(int shard) {
        Grant grant = holders.get(shard);
        return grant == null || world.node(grant.owner()) == null ? null : grant.owner();
    }

    void acquire(SimNode node, int shard, Request request) {
        later(() -> {
            NodeId holder = holder(shard);
            boolean free = holder == null || holder.equals(node.id);
            boolean fails = dice.nextInt(12) == 0;
            Grant grant = free && dice.nextInt(5) > 0 ? new Grant(node.id, ++grants) : null;
            if (grant != null) {
                holders.put(shard, grant);
                perhapsLose(node, shard, grant, request);
            }
            node.onControl(0, fails ? request::failed : () -> request.answered(grant));
        });
    }

    private void perhapsLose(SimNode node, int shard, Grant grant, Request request) {
        if (world.isAtRest()) {
            return;
        }
        int drawn = dice.nextInt(16);
        if (drawn == 0) {
            lose(node, shard, grant, request);
        } else if (drawn < 5) {
            world.scheduler().after(dice.nextInt(LONGEST_HOLD), () -> lose(node, shard, grant, request));
        }
    }

    private void lose(SimNode node, int shard, Grant grant, Request request) {
        if (holders.remove(shard, grant)) {
            world.timeline().turn(node, "loses lease", shard);
            node.onControl(0, () -> request.lost(grant));
        }
    }

    /** @param ended hears on the node's control loop whether it succeeded */
    void release(SimNode node, int shard, Consumer<Boolean> ended) {
        later(() -> {
            Grant grant = holders.get(shard);
            boolean isOwn = grant != null && grant.owner().equals(node.id);
            boolean fails = dice.nextInt(10) == 0;
            if (isOwn && (!fails || dice.nextBoolean())) {
                holders.remove(shard);
            } else if (isOwn) {
                world.scheduler().after(EXPIRES_WITHIN, () -> holders.remove(shard, grant));
            }
            node.onControl(0, () -> ended.accept(!fails));
        });
    }

    private void later(Runnable step) {
        world.scheduler().after(1 + dice.nextInt(30), step);
    }
}
