package io.shardbus.simulation;

import io.shardbus.simulation.Letter.Ending;
import io.shardbus.simulation.Letter.Next;
import io.shardbus.simulation.Letter.Work;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Clients on all nodes: bursts of messages to random entities, some of which send on. */
final class Workload {
    private final Simulation world;
    private boolean stopped;
    private @Nullable SimNode silent;
    private long silentUntil;

    Workload(Simulation world) {
        this.world = world;
    }

    /** Sends the bursts, each so long after now as it comes after the first. */
    void start(List<Schedule.Burst> bursts) {
        if (!bursts.isEmpty()) {
            start(bursts, 0, world.scheduler().now() - bursts.get(0).at());
        }
    }

    private void start(List<Schedule.Burst> bursts, int next, long shift) {
        if (next < bursts.size()) {
            Schedule.Burst burst = bursts.get(next);
            world.scheduler().after(burst.at() + shift - world.scheduler().now(), () -> {
                if (!stopped) {
                    new Client(new SplittableRandom(burst.dice())).send();
                    start(bursts, next + 1, shift);
                }
            });
        }
    }

    void stop() {
        stopped = true;
    }

    /** The clients on a node say nothing until then. */
    void silence(SimNode node, long until) {
        silent = node;
        silentUntil = until;
    }

    private boolean isSilent(SimNode node) {
        return node == silent && world.scheduler().now() < silentUntil;
    }

    /** One burst's sender. */
    private final class Client {
        private final SplittableRandom random;

        Client(SplittableRandom random) {
            this.random = random;
        }

        void send() {
            List<SimNode> senders = world.staying();
            if (senders.isEmpty()) {
                return;
            }
            SimNode sender = senders.get(random.nextInt(senders.size()));
            if (isSilent(sender)) {
                return;
            }
            String entity = anyEntity();
            for (int i = random.nextInt(4); i >= 0; i--) {
                send(sender, random.nextInt(3) == 0 ? anyEntity() : entity);
            }
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

        private boolean chance(int percent) {
            return random.nextInt(100) < percent;
        }

        private Work work(String entity, int depth) {
            long millis = chance(world.options().slowPercent)
                    ? 50 + random.nextInt(world.options().slowMillis)
                    : random.nextInt(4);
            Ending ending =
                    chance(world.options().throwPercent) ? Ending.THROWS : chance(3) ? Ending.PASSIVATES : Ending.GOOD;
            return new Work(millis, chance(20), ending, depth > 0 && chance(12) ? next(entity, depth - 1) : null);
        }

        /**
         * Who waits for an answer waits for a later entity of the same shard, or of a later shard: nobody waits in a
         * circle.
         */
        private @Nullable Next next(String entity, int depth) {
            String other = anyEntity();
            boolean ask = random.nextBoolean();
            int from = world.shardOf(entity);
            int to = world.shardOf(other);
            boolean later = to > from
                    || to == from && Integer.parseInt(other.substring(1)) > Integer.parseInt(entity.substring(1));
            return new Next(other, ask, ask && later && random.nextBoolean(), work(other, depth));
        }
    }
}
