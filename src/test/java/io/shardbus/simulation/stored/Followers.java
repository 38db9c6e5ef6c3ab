package io.shardbus.simulation.stored;

import io.shardbus.Ask;
import io.shardbus.ClusterSharding;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.routing.PendingAsk;
import io.shardbus.delivery.EntityCommand;
import io.shardbus.delivery.SimulatedReaction;
import io.shardbus.model.DeliveryNumber;
import io.shardbus.model.EntityLocation;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.spi.EventReader.LogInfo;
import io.shardbus.projection.EventEnvelope;
import io.shardbus.projection.Projection;
import io.shardbus.projection.ProjectionHandler;
import io.shardbus.projection.SimulatedWorker;
import io.shardbus.runtime.clock.ElapsedClock;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What follows from stored events: a projection that handles each at least once, and a reaction whose commands go to
 * other entities. Each has one worker, which moves between processes, also without a word to the former one.
 */
final class Followers {
    static final String SEEN = "seen";
    static final String SENT = "sent";
    /** Numbers of the commands that follow from events; such events lead to no more. */
    static final long DERIVED = 1_000_000;

    private static final int POLL = 100;

    private final StoredWorld world;
    private final EventSourced<Tally.Command, Tally.Noted, Tally.State> type;
    private final Random dice;
    private final Follower seen = new Follower(SEEN);
    private final Follower sent = new Follower(SENT);
    private boolean isCalm;
    private long tokens;

    Followers(StoredWorld world, EventSourced<Tally.Command, Tally.Noted, Tally.State> type, Random dice) {
        this.world = world;
        this.type = type;
        this.dice = dice;
    }

    private static final class Follower {
        private final String name;
        private int process;
        private @Nullable SimulatedWorker worker;

        Follower(String name) {
            this.name = name;
        }
    }

    /** The commands that follow from an event, in order. */
    static List<EntityCommand<Tally.Command>> commands(Tally.@Nullable Noted event, int shards) {
        List<EntityCommand<Tally.Command>> commands = new ArrayList<>();
        if (event == null || event.command() >= DERIVED) {
            return commands;
        }
        for (int i = 0; i < event.command() % 3; i++) {
            long number = DERIVED + event.command() * 100 + event.index() * 10L + i;
            Tally.Manner manner = number % 13 == 0 ? Tally.Manner.REFUSE : Tally.Manner.PLAIN;
            String target = "s" + (event.command() + i) % shards + "-t" + event.command() % 2;
            commands.add(EntityCommand.once(Tally.TYPE, target, new Tally.Command(number, 1, manner)));
        }
        return commands;
    }

    void begin() {
        give(seen, dice.nextInt(world.processes()));
        give(sent, dice.nextInt(world.processes()));
    }

    /** One of them goes to another process; the former worker is stopped, or does not hear of it. */
    void move() {
        Follower follower = dice.nextBoolean() ? seen : sent;
        SimulatedWorker former = follower.worker;
        StoredProcess process = world.process(follower.process);
        boolean isTold = dice.nextBoolean();
        world.turn("world", isTold ? "moves" : "seizes", follower.name);
        if (isTold && former != null) {
            process.after(0, former::stop);
        }
        give(follower, dice.nextInt(world.processes()));
    }

    /** The workers of a process that is gone, or is taken for it. */
    void inherit(int process) {
        for (Follower follower : List.of(seen, sent)) {
            if (follower.process == process) {
                world.after(dice.nextInt(1_000), () -> {
                    if (follower.process == process) {
                        give(follower, (process + 1 + dice.nextInt(world.processes() - 1)) % world.processes());
                    }
                });
            }
        }
    }

    /** Each has a worker that lives, and nothing more is lost. */
    void end() {
        isCalm = true;
        give(seen, dice.nextInt(world.processes()));
        give(sent, dice.nextInt(world.processes()));
    }

    private void give(Follower follower, int number) {
        StoredProcess process = world.process(number);
        FencingToken token = new FencingToken(1, 1, ++tokens);
        follower.process = number;
        world.turn(process.id, "follows", follower.name + " " + token);
        process.after(0, () -> {
            SimulatedWorker worker = new SimulatedWorker(
                    projection(follower.name, process),
                    new SimulatedReads(world.store(), process.surroundings().context(), world.truth()),
                    token,
                    process.surroundings().vertx(),
                    ElapsedClock.manual(world::now));
            follower.worker = worker;
            worker.start();
        });
    }

    private Projection<Tally.Noted> projection(String name, StoredProcess process) {
        ProjectionHandler<Tally.Noted> handler = name.equals(SEEN)
                ? ProjectionHandler.each(event -> handle(event, process))
                : SimulatedReaction.of(
                        process.surroundings().vertx(),
                        sharding(process),
                        event -> commands(event.event(), world.shards()),
                        ElapsedClock.manual(world::now));
        return Projection.of(name, type, handler).withPollInterval(POLL);
    }

    private Future<Void> handle(EventEnvelope<Tally.Noted> event, StoredProcess process) {
        Promise<Void> handled = Promise.promise();
        process.after(dice.nextInt(3), () -> {
            if (!isCalm && dice.nextInt(300) == 0) {
                handled.fail("as wanted");
            } else {
                world.truth().follows().handled(event.log(), event.position());
                handled.complete();
            }
        });
        return handled.future();
    }

    private ClusterSharding sharding(StoredProcess process) {
        return (ClusterSharding) Proxy.newProxyInstance(
                ClusterSharding.class.getClassLoader(),
                new Class<?>[] {ClusterSharding.class},
                (self, method, arguments) -> {
                    if (method.getName().equals("entityRef")) {
                        return new Ref((String) arguments[1], process);
                    }
                    throw new UnsupportedOperationException("not simulated: ClusterSharding." + method.getName());
                });
    }

    boolean isDone() {
        Integer number =
                world.store().content().reader().type(Tally.TYPE.name()).result();
        if (number == null) {
            return false;
        }
        List<LogInfo> logs = world.store().content().reader().logs(number).result();
        return List.of(SEEN, SENT).stream().allMatch(name -> {
            Map<Integer, Long> positions =
                    world.store().content().offsets().positions(name).result();
            return logs.stream().allMatch(log -> positions.getOrDefault(log.log(), 0L) == log.end());
        });
    }

    /** The way of a delivery from one process: it is lost, comes late or twice, and so is its answer. */
    private void deliver(Ref ref, Tally.Command command, DeliveryNumber number, Duration timeout, Promise<Void> taken) {
        ref.from.after(
                timeout.toMillis(),
                () -> taken.tryFail(new ShardingException(FailureCode.TIMED_OUT, "no answer to " + number)));
        int chance = isCalm ? 0 : dice.nextInt(100);
        if (chance < 97) {
            world.after(
                    1 + dice.nextInt(5),
                    () -> arrive(ref, command, number, timeout, failure -> {
                        if (isCalm || dice.nextInt(100) < 98) {
                            world.after(1 + dice.nextInt(5), () -> ref.from.after(0, () -> end(taken, failure)));
                        }
                    }));
        }
        if (chance >= 94 && chance < 99) {
            world.after(dice.nextInt(6_000), () -> arrive(ref, command, number, timeout, failure -> {}));
        }
    }

    private static void end(Promise<Void> taken, @Nullable Failure failure) {
        if (failure == null) {
            taken.tryComplete();
        } else {
            taken.tryFail(new ShardingException(failure.code(), failure.message(), failure.entityCode(), null));
        }
    }

    private void arrive(
            Ref ref, Tally.Command command, DeliveryNumber number, Duration timeout, Consumer<@Nullable Failure> then) {
        int home = !isCalm && dice.nextInt(10) == 0
                ? dice.nextInt(world.processes())
                : world.home(ref.shard).process();
        world.note(world.process(home).id, "is sent", ref.id + " " + command + " " + number);
        PendingAsk ask = new PendingAsk(world.now() + timeout.toMillis()) {
            @Override
            public void complete(@Nullable Object value) {
                then.accept(null);
            }

            @Override
            public void fail(Failure failure) {
                world.truth().follows().refused(failure.code(), command, failure.message());
                then.accept(failure);
            }
        };
        world.process(home).send(ref.shard, ref.id, command, number.toString(), ask, () -> {});
    }

    /** A reference that carries deliveries, and nothing else. */
    private final class Ref implements EntityRef<Tally.Command> {
        private final String id;
        private final int shard;
        private final StoredProcess from;

        Ref(String id, StoredProcess from) {
            this.id = id;
            this.shard = Integer.parseInt(id.substring(1, id.indexOf('-')));
            this.from = from;
        }

        @Override
        public Future<Void> deliver(Tally.Command command, DeliveryNumber number, Duration timeout) {
            Promise<Void> taken = Promise.promise();
            Followers.this.deliver(this, command, number, timeout, taken);
            return taken.future();
        }

        @Override
        public EntityType<Tally.Command> type() {
            return Tally.TYPE;
        }

        @Override
        public String id() {
            return id;
        }

        @Override
        public void tell(Tally.Command message) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <R> Future<R> ask(Ask<R> message) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <R> Future<R> ask(Ask<R> message, Duration timeout) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <R> Future<R> request(Tally.Command message, Class<R> answer, Duration timeout) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean writeQueueFull() {
            return false;
        }

        @Override
        public EntityRef<Tally.Command> drainHandler(Handler<Void> handler) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Future<EntityLocation> start() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Ref that && id.equals(that.id);
        }

        @Override
        public int hashCode() {
            return id.hashCode();
        }

        @Override
        public String toString() {
            return id;
        }
    }
}
