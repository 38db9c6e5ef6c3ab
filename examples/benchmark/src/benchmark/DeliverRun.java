package benchmark;

import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.shardbus.delivery.Delivery;
import io.shardbus.delivery.DeliveryQueue;
import io.shardbus.delivery.NumberedProducer;
import io.shardbus.model.CommandId;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * Commands that take effect once, to entities that store an event for each, beside the same commands as plain asks and
 * plain inserts of the same rows.
 */
final class DeliverRun {
    private static final int WINDOW = 256;
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final long POLL_MS = 20;

    private final int rounds;
    private final int entities;
    private final int commands;
    private long number;

    DeliverRun(Arguments told) {
        this.rounds = told.number("rounds", 5, 1, 1000);
        this.entities = told.number("entities", 1000, 1, 100_000);
        this.commands = told.number("events", 10_000, 1, 1_000_000);
    }

    void run(StoreUnderTest under) throws Exception {
        var type = StoredCounter.type("deliver");
        var region = under.start(type);
        var vertx = under.node().vertx();
        var delivery = Delivery.create(vertx, under.node().sharding());
        var queue = StoreUnderTest.await(DeliveryQueue.start(vertx, under.node().sharding(), under.store(), "deliver"));
        var medians = new Medians();
        try (var producer = delivery.producer("benchmark")) {
            for (int round = 0; round <= rounds; round++) {
                round(under, region, delivery, producer, medians);
                double queued = queued(under, queue, type.type());
                medians.add("queue_per_s", queued).add("queue_of_floor", 2 * queued / medians.last("floor_per_s"));
            }
        }
        queue.close();
        System.out.println("deliver store=" + under.name() + " entities=" + entities + " window=" + WINDOW
                + " commands=" + commands + " " + medians);
    }

    private void round(
            StoreUnderTest under,
            ShardRegion<CounterMessage> region,
            Delivery delivery,
            NumberedProducer producer,
            Medians medians)
            throws Exception {
        int chains = Math.min(WINDOW, under.floor().chains());
        int rows = WINDOW / chains;
        // a chain's inserts follow each other: their numbers rise
        var floor =
                Loop.during(1, chains, under::cpuSeconds, chain -> under.floor().insert(chain, rows));
        var plain = loop(under, i -> region.entityRef(id(i)).ask(StoredCounter.ADD));
        var identified = loop(
                under,
                i -> delivery.of(region.entityRef(id(i)))
                        .ask(StoredCounter.ADD, CommandId.of(UUID.randomUUID().toString(), Instant.now()), DEADLINE));
        var numbered = loop(under, i -> numbered(producer, region, i));
        medians.add("floor_per_s", floor.perSecond(rows))
                .add("plain_per_s", plain.perSecond())
                .add("plain_p50_us", plain.times().micros(0.5))
                .add("identified_per_s", identified.perSecond())
                .add("identified_of_plain", identified.perSecond() / plain.perSecond())
                .add("identified_cpu_of_plain", identified.cpuSeconds() / plain.cpuSeconds())
                .add("numbered_per_s", numbered.perSecond())
                .add("numbered_of_plain", numbered.perSecond() / plain.perSecond());
    }

    private Loop.Measured loop(StoreUnderTest under, IntFunction<Future<?>> step) throws Exception {
        return Loop.times(commands, WINDOW, under::cpuSeconds, step);
    }

    private String id(int i) {
        return "e-" + i % entities;
    }

    /** Numbers reach the producer in their order. */
    private synchronized Future<Void> numbered(NumberedProducer producer, ShardRegion<CounterMessage> region, int i) {
        number++;
        return producer.deliver(number, region.entityRef(id(i)), StoredCounter.ADD, Future::failedFuture);
    }

    /** Commands a second, until all have been confirmed. */
    private double queued(StoreUnderTest under, DeliveryQueue queue, EntityType<CounterMessage> type) throws Exception {
        long begin = System.nanoTime();
        loop(under, i -> queue.deliver(type, id(i), StoredCounter.ADD));
        long deadline = begin + DEADLINE.multipliedBy(5).toNanos();
        while (StoreUnderTest.await(queue.unconfirmed()) > 0) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("commands of the queue are still not confirmed");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        return commands / ((System.nanoTime() - begin) / 1e9);
    }
}
