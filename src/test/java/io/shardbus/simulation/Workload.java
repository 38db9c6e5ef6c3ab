package io.shardbus.simulation;

import io.shardbus.simulation.Letter.Ending;
import io.shardbus.simulation.Letter.Next;
import io.shardbus.simulation.Letter.Work;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Clients on all nodes: bursts of messages to random entities, some of which send on. */
final class Workload {
    private final Simulation world;
    private final Random random;
    private boolean stopped;

    Workload(Simulation world) {
        this.world = world;
        this.random = world.random();
    }

    void start() {
        if (stopped) {
            return;
        }
        List<SimNode> senders = world.staying();
        if (!senders.isEmpty()) {
            SimNode sender = senders.get(random.nextInt(senders.size()));
            String entity = anyEntity();
            for (int i = random.nextInt(4); i >= 0; i--) {
                send(sender, random.nextInt(3) == 0 ? anyEntity() : entity);
            }
        }
        world.scheduler()
                .after(
                        1 + random.nextInt((int) (2 * world.options().sendPause / (1 + senders.size()) + 2)),
                        this::start);
    }

    void stop() {
        stopped = true;
    }

    private void send(SimNode sender, String entity) {
        Work work = work(entity, 2);
        sender.send(
                entity,
                work,
                random.nextBoolean()
                        ? answered -> {
                            if (!answered && random.nextInt(4) == 0) {
                                sender.send(anyEntity(), Work.NONE, null);
                            }
                        }
                        : null);
    }

    private String anyEntity() {
        return "e" + random.nextInt(world.options().entities);
    }

    private Work work(String entity, int depth) {
        long millis = world.chance(world.options().slowPercent)
                ? 50 + random.nextInt(world.options().slowMillis)
                : random.nextInt(4);
        Ending ending = world.chance(world.options().throwPercent)
                ? Ending.THROWS
                : world.chance(3) ? Ending.PASSIVATES : Ending.GOOD;
        return new Work(
                millis, world.chance(20), ending, depth > 0 && world.chance(12) ? next(entity, depth - 1) : null);
    }

    /** Who waits for an answer waits for a later entity of the same shard, or of a later shard: nobody waits in a circle. */
    private @Nullable Next next(String entity, int depth) {
        String other = anyEntity();
        boolean ask = random.nextBoolean();
        int from = world.shardOf(entity);
        int to = world.shardOf(other);
        boolean later =
                to > from || to == from && Integer.parseInt(other.substring(1)) > Integer.parseInt(entity.substring(1));
        return new Next(other, ask, ask && later && random.nextBoolean(), work(other, depth));
    }
}
