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
            List<SimType> types =
                    sender.regions.all().stream().map(hosting -> hosting.type).toList();
            SimType type = types.size() == 1 ? types.get(0) : types.get(random.nextInt(types.size()));
            String entity = anyEntity(type);
            for (int i = random.nextInt(4); i >= 0; i--) {
                send(sender, random.nextInt(3) == 0 ? anyEntity(type) : entity);
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
                                    sender.send(anyEntity(world.typeOf(entity)), Work.NONE, null);
                                }
                            }
                            : null);
        }

        private String anyEntity(SimType type) {
            return type.entity(random.nextInt(type.entities()));
        }

        /** Of the type of the entity that sends to it, or of the one that every node has. */
        private String anyOther(String entity) {
            SimType own = world.typeOf(entity);
            return anyEntity(
                    own.isMain() || random.nextBoolean() ? own : world.types().get(0));
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
         * An entity waits for the answers of later entities of its shard, of later shards, and of the first type: there
         * is no circle.
         */
        private @Nullable Next next(String entity, int depth) {
            String other = anyOther(entity);
            boolean ask = random.nextBoolean();
            int from = world.shardOf(entity);
            int to = world.shardOf(other);
            boolean later = !world.typeOf(other).equals(world.typeOf(entity))
                    || to > from
                    || to == from && Integer.parseInt(other.substring(1)) > Integer.parseInt(entity.substring(1));
            return new Next(other, ask, ask && later && random.nextBoolean(), work(other, depth));
        }
    }
}
