package io.shardbus.simulation.stored;

import io.shardbus.ShardingException;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.routing.PendingAsk;
import io.shardbus.model.FailureCode;
import io.shardbus.persistence.spi.ReminderStore.Reminder;
import io.shardbus.reminder.SimulatedReminderWorker;
import io.shardbus.simulation.Violation.Kind;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The delivery of reminders: the real worker, which moves between processes, also without a word to the former one. Its
 * messages and their answers are lost, or come late.
 */
final class Alarms {
    private static final long DEADLINE = 2_000;

    private final StoredWorld world;
    private final Random dice;
    private int process;
    private @Nullable SimulatedReminderWorker worker;
    private boolean isCalm;

    Alarms(StoredWorld world, Random dice) {
        this.world = world;
        this.dice = dice;
    }

    void begin() {
        give(dice.nextInt(world.processes()));
    }

    /** The worker goes to another process; the former one is stopped, or does not hear of it. */
    void move() {
        StoredProcess from = world.process(process);
        SimulatedReminderWorker former = worker;
        if (former != null && from.isUp() && dice.nextBoolean()) {
            from.after(0, former::stop);
        }
        give(dice.nextInt(world.processes()));
    }

    /** The worker of a process that is gone. */
    void inherit(int number) {
        if (number == process) {
            world.after(dice.nextInt(1_000), () -> {
                if (number == process) {
                    give((number + 1 + dice.nextInt(world.processes() - 1)) % world.processes());
                }
            });
        }
    }

    /** There is a worker that lives, and nothing more is lost. */
    void end() {
        isCalm = true;
        give(dice.nextInt(world.processes()));
    }

    boolean isDone() {
        return world.truth().reminded().isDone();
    }

    private void give(int number) {
        StoredProcess to = world.process(number);
        process = number;
        world.turn(to.id, "reminds", "");
        to.after(0, () -> {
            SimulatedReminderWorker next = new SimulatedReminderWorker(
                    Tally.TYPE.name(),
                    new SimulatedReads(world.store(), to.surroundings().context(), world.truth()),
                    reminder -> deliver(reminder, to),
                    () -> StoredWorld.EPOCH + world.now(),
                    to.surroundings().vertx());
            worker = next;
            next.start();
        });
    }

    private Future<Void> deliver(Reminder reminder, StoredProcess from) {
        Promise<Void> answered = Promise.promise();
        from.after(
                DEADLINE,
                () -> answered.tryFail(new ShardingException(FailureCode.TIMED_OUT, "no answer to " + reminder)));
        boolean isLost = !isCalm && dice.nextInt(100) < 4;
        long way = !isCalm && dice.nextInt(100) < 3 ? dice.nextInt(6_000) : 1 + dice.nextInt(5);
        if (!isLost || dice.nextBoolean()) {
            world.after(way, () -> arrive(reminder, isLost ? null : from, answered));
        }
        return answered.future();
    }

    /** @param from where the answer goes; null: it is lost */
    private void arrive(Reminder reminder, @Nullable StoredProcess from, Promise<Void> answered) {
        int shard = Integer.parseInt(reminder.id().substring(1, reminder.id().indexOf('-')));
        Tally.Command message = Tally.Command.parse(reminder.payload().toString());
        int home = !isCalm && dice.nextInt(10) == 0
                ? dice.nextInt(world.processes())
                : world.home(shard).process();
        world.note(world.process(home).id, "is reminded", reminder.id() + " " + message);
        PendingAsk ask = new PendingAsk(world.now() + DEADLINE) {
            @Override
            public void complete(@Nullable Object value) {
                tell(null);
            }

            @Override
            public void fail(Failure failure) {
                world.mustHold(
                        failure.code() != FailureCode.ENTITY_FAILED && failure.code() != FailureCode.STATE_UNREADABLE,
                        Kind.EXCEPTION,
                        () -> message + ": " + failure.code() + ", " + failure.message());
                tell(failure);
            }

            private void tell(@Nullable Failure failure) {
                if (from != null) {
                    world.after(1 + dice.nextInt(5), () -> from.after(0, () -> end(answered, failure)));
                }
            }
        };
        world.process(home).send(shard, reminder.id(), message, "", ask, () -> {});
    }

    private static void end(Promise<Void> answered, @Nullable Failure failure) {
        if (failure == null) {
            answered.tryComplete();
        } else {
            answered.tryFail(new ShardingException(failure.code(), failure.message()));
        }
    }
}
