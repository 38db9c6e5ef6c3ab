package io.shardbus.simulation;

import io.shardbus.core.splitbrain.SplitCommand.AskArbiter;
import io.shardbus.core.splitbrain.SplitCommand.ReleaseArbiter;
import io.shardbus.spi.RecordStore;
import io.shardbus.spi.SplitBrainArbiter;
import io.shardbus.store.StoreArbiter;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The arbiter that all nodes reach over any split: the real one on a simulated store. What it is asked takes its time,
 * fails, or is never answered, though it may have taken hold.
 */
final class Arbiter {
    private static final String LEASE = "lease";
    private static final Duration LONGEST = Duration.ofSeconds(60);
    /** How long a node waits for an answer, and asks again after a failure. */
    static final long TIMEOUT = 1_000;

    private static final int TROUBLE_PERCENT = 4;

    private final Simulation world;
    private final SplittableRandom dice;
    private final SplitBrainArbiter arbiter;

    Arbiter(Simulation world) {
        this.world = world;
        this.dice = world.dice("arbiter");
        this.arbiter =
                new StoreArbiter(new Table(), LONGEST, () -> world.scheduler().now());
    }

    /** Asks for the lease. */
    void acquire(AskArbiter asking, Consumer<AsyncResult<Boolean>> answer) {
        inTime(arbiter.acquire(LEASE, asking.owner(), asking.stamp()), answer);
    }

    void release(ReleaseArbiter held, Consumer<AsyncResult<@Nullable String>> answer) {
        inTime(arbiter.release(LEASE, held.owner(), held.stamp()), answer);
    }

    private <T extends @Nullable Object> void inTime(Future<T> asked, Consumer<AsyncResult<T>> answer) {
        Promise<T> once = Promise.promise();
        once.future().onComplete(answer::accept);
        asked.onComplete(result -> {
            if (result.succeeded()) {
                once.tryComplete(result.result());
            } else {
                once.tryFail(result.cause());
            }
        });
        world.scheduler().after(TIMEOUT, () -> once.tryFail("no answer in time"));
    }

    private final class Table implements RecordStore {
        private final Map<String, String> records = new HashMap<>();

        @Override
        public Future<@Nullable String> read(String name) {
            return later(() -> records.get(name));
        }

        @Override
        public Future<Boolean> replace(String name, @Nullable String expected, @Nullable String next) {
            return later(() -> {
                boolean equal = Objects.equals(records.get(name), expected);
                if (equal && next == null) {
                    records.remove(name);
                } else if (equal) {
                    records.put(name, next);
                }
                world.timeline().turn("arbiter", equal ? "writes" : "refuses", String.valueOf(next));
                return equal;
            });
        }

        private <T> Future<T> later(Supplier<T> operation) {
            Promise<T> promise = Promise.promise();
            boolean done = dice.nextInt(100) >= TROUBLE_PERCENT;
            boolean answered = done || dice.nextBoolean();
            boolean takesHold = done || dice.nextBoolean();
            world.scheduler().after(Network.delay(dice) + dice.nextInt(30), () -> {
                T found = takesHold ? operation.get() : null;
                if (done) {
                    world.scheduler().after(Network.delay(dice), () -> promise.complete(found));
                } else if (answered) {
                    world.scheduler().after(Network.delay(dice), () -> promise.fail("the store is out of order"));
                }
            });
            return promise.future();
        }
    }
}
