package io.shardbus.reminder;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.daemon.ShardedDaemonProcess;
import io.shardbus.options.DaemonOptions;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.ReminderStore;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.persistence.RemindedTypes;
import io.shardbus.runtime.region.RegionHandle;
import io.shardbus.runtime.reminder.EntityDelivery;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** Delivers the reminders of persistent entities, and lists them. May be used from any thread. */
public final class Reminders {
    private static final int WORKERS = 4;

    private final Vertx vertx;
    private final ClusterSharding sharding;
    private final PersistenceStore store;

    private Reminders(Vertx vertx, ClusterSharding sharding, PersistenceStore store) {
        this.vertx = vertx;
        this.sharding = sharding;
        this.store = store;
    }

    /** Gives access to the reminders in a store; starts nothing. */
    public static Reminders create(Vertx vertx, ClusterSharding sharding, PersistenceStore store) {
        return new Reminders(vertx, sharding, store);
    }

    /**
     * Starts this node's part of the delivery: 4 workers in the cluster, the set {@code reminders.<type>}. Call it on
     * every node on which the type is started. A worker sends the message of a due reminder to its entity as an ask of
     * 10 s. When the ask is answered, also by a refusal of the entity, the reminder is done. It is done, too, with an
     * ERROR in the log, when the message or the answer cannot be encoded or exceeds {@code maxPayloadBytes}. Otherwise
     * the message is sent again: 10 s later if the entity threw or the worker cannot decode the message, else 1 s
     * later. So a message that can be encoded is delivered at least once.
     *
     * @return completes when a coordinator has accepted the region of the workers, before the workers run. Fails as the
     *     store and {@link ClusterSharding#start} do, and with an IllegalArgumentException for a type whose name is
     *     longer than 40 characters: the set's name has at most 50
     */
    public <M> Future<ShardedDaemonProcess> start(EntityDefinition<M> definition) {
        EntityType<M> type = definition.type();
        RemindedTypes.on(vertx).started(type.name());
        DaemonOptions options = new DaemonOptions()
                .setName("reminders." + type.name())
                .setWorkers(WORKERS)
                .setMaxWorkers(WORKERS);
        definition.role().ifPresent(options::setRole);
        ElapsedClock clock = new ElapsedClock();
        var delivery = new EntityDelivery<>(definition, id -> sharding.entityRef(type, id), () -> {
            if (sharding.region(type.name()).orElse(null) instanceof RegionHandle<?> region) {
                region.counters().reminderFailed();
            }
        });
        return store.start()
                .compose(started -> ShardedDaemonProcess.start(
                        vertx,
                        sharding,
                        options,
                        worker -> new ReminderWorker(
                                type.name(),
                                store,
                                parts(worker.number(), worker.total()),
                                delivery,
                                clock::wallMillis)));
    }

    /** The parts whose number modulo the number of workers is the worker's number. */
    private static List<Integer> parts(int number, int total) {
        return IntStream.range(0, ReminderStore.PARTS)
                .filter(part -> part % total == number)
                .boxed()
                .toList();
    }

    /** The reminders of an entity that are not done, in the order of their names. Fails as the store does. */
    public Future<List<SetReminder>> of(EntityType<?> type, String id) {
        return store.reader()
                .type(type.name())
                .compose(known -> known == null
                        ? Future.succeededFuture(List.of())
                        : store.reminders().of(known, id).map(Reminders::shown));
    }

    private static List<SetReminder> shown(List<ReminderStore.Reminder> reminders) {
        return reminders.stream()
                .map(reminder -> new SetReminder(reminder.name(), Instant.ofEpochMilli(reminder.due())))
                .toList();
    }
}
