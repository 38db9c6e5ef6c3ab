package io.shardbus.simulation;

import io.shardbus.core.remember.RememberPort;
import io.shardbus.core.remember.RememberSettings;
import io.shardbus.model.FencingToken;
import java.util.Set;

/**
 * The port of a simulated lane's remembered shards: the store, and their settings. Starts have no pace of their own.
 */
final class SimRememberPort implements RememberPort {
    private static final long TIMEOUT = 500;

    private final LaneLoop loop;
    private final Simulation world;

    SimRememberPort(LaneLoop loop) {
        this.loop = loop;
        this.world = loop.node.world;
    }

    @Override
    public RememberSettings settings() {
        return new RememberSettings(world.options().bufferSize, TIMEOUT, Simulation.RETRY_INTERVAL, 50, 400);
    }

    @Override
    public int shardOf(String entityId) {
        return world.shardOf(entityId);
    }

    @Override
    public void open(Key key) {
        world.idStore().open(loop, key);
    }

    @Override
    public void store(Key key, Set<String> added, Set<String> removed) {
        world.idStore().store(loop, key, added, removed);
    }

    @Override
    public boolean takeStart() {
        return true;
    }

    @Override
    public void startElsewhere(int shard, FencingToken token, String entityId) {
        throw new IllegalStateException(entityId + " belongs to shard " + shard);
    }

    @Override
    public void troubled(int shard, boolean isTroubled) {
        world.timeline().add(loop, isTroubled ? "memory fails" : "memory works", shard);
    }
}
