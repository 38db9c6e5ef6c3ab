package io.shardbus.delivery;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.core.persistence.QueueRoom;
import io.shardbus.model.FailureCode;
import io.shardbus.model.ShardHash;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.Retention;
import io.shardbus.persistence.StateCodec;
import io.shardbus.persistence.spi.EventReader.LogInfo;
import io.shardbus.persistence.spi.OffsetStore.Parked;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.projection.EventEnvelope;
import io.shardbus.projection.Projection;
import io.shardbus.projection.Projections;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.region.CallerContext;
import io.shardbus.runtime.region.RegionHandle;
import io.shardbus.spi.MessageExtractor;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Stored queue of commands for persistent entities, for senders that are no entities. Each stored command takes effect
 * once, however often nodes crash. Commands that one thread delivers to one entity take effect in that order. All nodes
 * share a queue; an instance is one node's access to it. Any thread; futures complete on the caller's Vert.x context if
 * there is one.
 */
public final class DeliveryQueue implements AutoCloseable {
    /** Number of partitions. Each is an entity with a log of its own, and has the commands of part of the targets. */
    public static final int PARTITIONS = 16;
    /**
     * Limit of the stored commands of a partition that their targets have not confirmed, and of this node's commands
     * that are not stored yet; further commands are refused.
     */
    public static final int MOST_UNCONFIRMED = QueueRoom.MOST;
    /** Number of such commands from which on {@link #writeQueueFull} is true. */
    public static final int FULL = QueueRoom.FULL;
    /** Time after which a command that could not be stored fails. */
    public static final Duration DEADLINE = Duration.ofSeconds(30);

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,30}");
    private static final int SNAPSHOT_EVERY = 1_000;
    private static final long POLL_MS = 200;
    private static final int BATCH_BYTES = 256 * 1024;
    /** Limit of the bytes of this node's commands that are not stored yet. */
    private static final long MOST_BYTES = 64L * 1024 * 1024;

    private final ClusterSharding sharding;
    private final PersistenceStore store;
    private final RegionHandle<?> region;
    private final Projections projections;
    private final Projection<QueuedCommand> projection;
    private final Context context;
    private final ElapsedClock clock;
    private final List<QueueLine> lines;
    private final int maxBytes;
    private final AtomicInteger unstored = new AtomicInteger();
    private final AtomicLong unstoredBytes = new AtomicLong();
    private final AtomicInteger fullPartitions = new AtomicInteger();
    private @Nullable Handler<Void> drain;
    private volatile boolean isClosed;

    private DeliveryQueue(
            Vertx vertx,
            ClusterSharding sharding,
            PersistenceStore store,
            RegionHandle<QueueBatch> region,
            Projection<QueuedCommand> projection) {
        this.sharding = sharding;
        this.store = store;
        this.region = region;
        this.projections = Projections.create(vertx, sharding, store);
        this.projection = projection;
        this.context = vertx.getOrCreateContext();
        this.clock = new ElapsedClock();
        this.maxBytes = sharding.options().getMaxPayloadBytes();
        this.lines = IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new QueueLine(
                        vertx,
                        context,
                        region.entityRef(String.valueOf(partition)),
                        Math.min(maxBytes, BATCH_BYTES),
                        clock::now,
                        new Stored()))
                .toList();
    }

    /**
     * Starts this node's part of a queue. Call it on every node, after the target types were started there as host or
     * proxy, because each node may deliver to them. The queue is an entity type {@code queue.<name>} with a projection
     * of that name.
     *
     * @param store stores the queue; the targets may have another one
     * @param name 1 to 30 letters, digits, '-', '_' or '.'; the same on all nodes
     * @return completes when a coordinator has accepted this node's regions of the partitions and of their workers;
     *     fails as {@link ClusterSharding#start} and as the store do
     * @throws IllegalArgumentException for another name
     */
    public static Future<DeliveryQueue> start(
            Vertx vertx, ClusterSharding sharding, PersistenceStore store, String name) {
        if (!NAME.matcher(Objects.requireNonNull(name, "name")).matches()) {
            throw new IllegalArgumentException(
                    "delivery queue '" + name + "': its name must be 1 to 30 letters, digits, '-', '_' or '.'");
        }
        String named = "queue." + name;
        ElapsedClock clock = new ElapsedClock();
        EntityType<QueueBatch> type = EntityType.of(named, QueueBatch.class);
        EventSourced<QueueBatch, QueuedCommand, QueueState> partitions = EventSourced.of(
                        type,
                        id -> new QueuePartition(shard -> unconfirmed(store, named, of -> of == shard), clock::now),
                        QueuedCommand.CODEC)
                .withSnapshots(StateCodec.json(QueueState.class), SNAPSHOT_EVERY)
                // keeps every command that is not confirmed, also before a worker has first claimed the log
                .withRetention(Retention.afterSnapshots(MOST_UNCONFIRMED));
        EntityDefinition<QueueBatch> definition = partitions
                .on(store)
                .withCodec(QueueBatch.CODEC)
                .withNumberOfShards(PARTITIONS)
                .withMessageExtractor(new ByNumber());
        Projection<QueuedCommand> projection = Projection.of(
                        named,
                        partitions,
                        Delivery.create(vertx, sharding)
                                .<QueuedCommand>reaction(stored -> List.of(command(sharding, stored))))
                .withWorkers(PARTITIONS)
                .withPollInterval(POLL_MS);
        return sharding.start(definition)
                .compose(started -> Projections.create(vertx, sharding, store)
                        .start(projection)
                        .map(running -> new DeliveryQueue(
                                vertx, sharding, store, (RegionHandle<QueueBatch>) started, projection)));
    }

    /** A partition is alone in the shard of its number, and so has a log of its own. */
    private static final class ByNumber implements MessageExtractor<QueueBatch> {
        @Override
        public String entityId(QueueBatch message) {
            throw new IllegalArgumentException("a delivery queue takes commands from DeliveryQueue.deliver alone");
        }

        @Override
        public int shard(String entityId, int numberOfShards) {
            return Integer.parseInt(entityId) % numberOfShards;
        }
    }

    private static EntityCommand<?> command(ClusterSharding sharding, EventEnvelope<QueuedCommand> stored) {
        QueuedCommand queued = Objects.requireNonNull(stored.event(), "partitions are not deleted");
        return command(region(sharding, queued.type()), queued);
    }

    private static <M> EntityCommand<M> command(RegionHandle<M> target, QueuedCommand queued) {
        Buffer payload = queued.payload();
        Object message = target.codec().decode(payload, 0, payload.length());
        if (message == null) {
            throw new IllegalArgumentException(
                    "a delivery to " + queued.type() + "/" + queued.id() + " has no message");
        }
        return EntityCommand.once(
                target.type(), queued.id(), target.type().messageClass().cast(message));
    }

    private static RegionHandle<?> region(ClusterSharding sharding, String type) {
        if (sharding.region(type).orElse(null) instanceof RegionHandle<?> known) {
            return known;
        }
        throw new ShardingException(
                FailureCode.UNKNOWN_TYPE,
                "deliveries go to type '" + type + "', which this node has not started: start it or a proxy of it"
                        + " before the delivery queue");
    }

    private static Future<Long> unconfirmed(PersistenceStore store, String name, IntPredicate shards) {
        return store.reader()
                .type(name)
                .compose(type -> type == null
                        ? Future.succeededFuture(0L)
                        : Future.all(store.reader().logs(type), store.offsets().positions(name))
                                .map(both -> behind(
                                        both.<List<LogInfo>>resultAt(0),
                                        both.<Map<Integer, Long>>resultAt(1),
                                        shards)));
    }

    private static long behind(List<LogInfo> logs, Map<Integer, Long> offsets, IntPredicate shards) {
        return logs.stream()
                .filter(log -> shards.test(log.shard()))
                .mapToLong(log -> Math.max(0, log.end() - offsets.getOrDefault(log.log(), 0L)))
                .sum();
    }

    /**
     * Stores a command, which is then delivered. A second call with the same command stores a second command.
     *
     * @param type a persistent one that was started on this node as host or proxy
     * @return completes when the command is stored. Fails at once, with nothing stored, with UNKNOWN_TYPE, INVALID_ID,
     *     INVALID_MESSAGE, PAYLOAD_NOT_ENCODABLE, PAYLOAD_NOT_DECODABLE and PAYLOAD_TOO_LARGE; with DELIVERY_REFUSED
     *     for a type that stores nothing, or if 10,000 commands or 64 MiB of this node are not stored yet; and with
     *     SHUTTING_DOWN after {@link #close}. Fails later, with nothing stored, with DELIVERY_REFUSED if 10,000
     *     commands of the target's partition are not confirmed. After about 30 s without success it fails with
     *     TIMED_OUT or the last failure if the command is certainly not stored, else with OUTCOME_UNKNOWN
     */
    public <M> Future<Void> deliver(EntityType<M> type, String id, M command) {
        QueueLine.Waiting waiting;
        try {
            waiting = checked(type, id, command);
            admit(waiting);
        } catch (ShardingException refusal) {
            region.counters().failed(refusal.code());
            return CallerContext.complete(Future.failedFuture(refusal));
        }
        context.runOnContext(now -> {
            if (isClosed) {
                new Stored().over(waiting, closed("the command is not stored"));
            } else {
                lines.get(partition(type, id)).add(waiting);
            }
        });
        return CallerContext.complete(waiting.stored().future());
    }

    static int partition(EntityType<?> type, String id) {
        return ShardHash.shard(type.name() + '/' + id, PARTITIONS);
    }

    private <M> QueueLine.Waiting checked(EntityType<M> type, String id, M command) {
        RegionHandle<?> target = region(sharding, type.name());
        sharding.entityRef(type, id);
        target.check(command);
        if (target.definition().sharedStore().isEmpty()) {
            throw new ShardingException(
                    FailureCode.DELIVERY_REFUSED,
                    "type '" + type.name() + "' stores nothing, so a delivery could take effect twice: make it"
                            + " persistent, or use EntityCommand.atLeastOnce in a reaction");
        }
        Buffer payload = Buffer.buffer();
        try {
            target.codec().encode(command, payload);
        } catch (RuntimeException e) {
            throw new ShardingException(
                    FailureCode.PAYLOAD_NOT_ENCODABLE,
                    "a command for " + type.name() + "/" + id + " cannot be encoded for the store: " + e,
                    e);
        }
        try {
            command(target, new QueuedCommand(0, 0, type.name(), id, payload));
        } catch (RuntimeException e) {
            // if it were stored, its partition would wait at it for ever
            throw new ShardingException(
                    FailureCode.PAYLOAD_NOT_DECODABLE,
                    "a command for " + type.name() + "/" + id + " cannot be decoded from its own bytes: " + e,
                    e);
        }
        long deadline = clock.now() + DEADLINE.toMillis();
        var waiting = new QueueLine.Waiting(type.name(), id, payload, deadline, Promise.promise());
        if (waiting.bytes() > maxBytes) {
            throw new ShardingException(
                    FailureCode.PAYLOAD_TOO_LARGE,
                    "a command for " + type.name() + "/" + id + " has " + payload.length() + " bytes, and up to "
                            + (waiting.bytes() - payload.length()) + " with its address; maxPayloadBytes is "
                            + maxBytes);
        }
        return waiting;
    }

    private void admit(QueueLine.Waiting waiting) {
        int commands = unstored.incrementAndGet();
        long bytes = unstoredBytes.addAndGet(waiting.bytes());
        if (commands > MOST_UNCONFIRMED || bytes > MOST_BYTES) {
            release(waiting);
            throw new ShardingException(
                    FailureCode.DELIVERY_REFUSED,
                    "delivery queue '" + projection.name() + "' has " + (commands - 1) + " commands of "
                            + (bytes - waiting.bytes()) + " bytes on this node that are not stored yet: wait for its"
                            + " drainHandler");
        }
    }

    private void release(QueueLine.Waiting waiting) {
        unstored.decrementAndGet();
        unstoredBytes.addAndGet(-waiting.bytes());
    }

    /** Takes the outcome of each command from its line; on the context. */
    private final class Stored implements QueueLine.Told {
        @Override
        public void over(QueueLine.Waiting command, @Nullable ShardingException failure) {
            release(command);
            if (failure != null) {
                region.counters().failed(failure.code());
            }
            // in a task of its own: a handler of the caller may throw
            context.runOnContext(now -> {
                if (failure == null) {
                    command.stored().complete();
                } else {
                    command.stored().fail(failure);
                }
            });
            drained();
        }

        @Override
        public void full(boolean isFull) {
            fullPartitions.addAndGet(isFull ? 1 : -1);
            drained();
        }
    }

    /**
     * Whether the caller should wait for {@link #drainHandler}: true while 5,000 commands or 32 MiB of this node are
     * not stored yet, or 5,000 commands of one partition are not confirmed.
     */
    public boolean writeQueueFull() {
        return unstored.get() >= FULL || unstoredBytes.get() >= MOST_BYTES / 2 || fullPartitions.get() > 0;
    }

    /**
     * Calls the handler once, on a Vert.x context of the queue, when {@link #writeQueueFull} is no longer true, or soon
     * if it is not true now. A later handler replaces one that still waits, which is then never called.
     */
    public DeliveryQueue drainHandler(Handler<Void> handler) {
        context.runOnContext(now -> {
            drain = handler;
            drained();
        });
        return this;
    }

    private void drained() {
        Handler<Void> waiting = drain;
        if (waiting != null && !writeQueueFull()) {
            drain = null;
            context.runOnContext(now -> waiting.handle(null));
        }
    }

    /**
     * Number of stored commands, of all nodes, that their targets have neither confirmed nor refused. The number may be
     * too high, because confirmations are recorded a moment later. Fails as the store does.
     */
    public Future<Long> unconfirmed() {
        return CallerContext.complete(unconfirmed(store, projection.name(), every -> true));
    }

    /**
     * The first 1,000 commands that their targets refused, in the order of partitions and positions. Fails as the store
     * does.
     */
    public Future<List<Parked>> parked() {
        return CallerContext.complete(projections.parked(projection));
    }

    /**
     * Ends this node's access. Commands that are not known to be stored fail with SHUTTING_DOWN, and so do later ones.
     * Stored commands of all nodes, this one included, are still delivered.
     */
    @Override
    public void close() {
        isClosed = true;
        context.runOnContext(now -> lines.forEach(
                line -> line.close(closed("the command is not stored"), closed("the command may be stored"))));
    }

    private ShardingException closed(String what) {
        return new ShardingException(
                FailureCode.SHUTTING_DOWN, "delivery queue '" + projection.name() + "' was closed: " + what);
    }
}
