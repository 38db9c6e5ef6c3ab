package io.shardbus.projection;

import io.shardbus.ClusterSharding;
import io.shardbus.daemon.ShardedDaemonProcess;
import io.shardbus.options.DaemonOptions;
import io.shardbus.persistence.spi.EventReader.LogInfo;
import io.shardbus.persistence.spi.OffsetStore;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.runtime.node.VertxRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Runs the projections of a store. May be used from any thread. Futures of methods that read or write the store fail as
 * the store does.
 */
public final class Projections {
    private static final VertxRegistry<StartedProjection> STARTED = new VertxRegistry<>("projections");
    private static final String WORKERS = "projection.";
    /** Limit of the parked events in one answer: reasons may be long. */
    private static final int MOST_PARKED = 1_000;

    private final Vertx vertx;
    private final ClusterSharding sharding;
    private final PersistenceStore store;

    private Projections(Vertx vertx, ClusterSharding sharding, PersistenceStore store) {
        this.vertx = vertx;
        this.sharding = sharding;
        this.store = store;
    }

    public static Projections create(Vertx vertx, ClusterSharding sharding, PersistenceStore store) {
        return new Projections(vertx, sharding, store);
    }

    /**
     * Starts this node's part of a projection, a set of workers named {@code projection.<name>}. Call it on every node.
     *
     * @return completes when a coordinator has accepted the region of the workers, before the workers run; fails as the
     *     store and {@link ClusterSharding#start} do
     * @throws IllegalArgumentException for {@link Projection.OnFailure#PARK} with a handler that parks itself, and for
     *     the name of a projection of another type or another store that was started on this node
     */
    public <E> Future<ShardedDaemonProcess> start(Projection<E> projection) {
        Projection.Settings settings = projection.settings();
        if (settings.onFailure() == Projection.OnFailure.PARK
                && projection.handler().parksItself()) {
            throw new IllegalArgumentException(
                    "projection '" + projection.name() + "' has OnFailure.PARK, but its handler"
                            + " parks refused events itself: PARK would also park events that only have to wait:"
                            + " leave onFailure at HOLD");
        }
        StartedProjection running = startedOn(vertx).get(projection.name());
        if (running != null && running.isOther(this, projection)) {
            throw new IllegalArgumentException("a projection '" + projection.name() + "' of type '" + running.type()
                    + "' was started on this node: give this one, of type '" + projection.type() + "' in "
                    + store.name() + ", another name");
        }
        DaemonOptions options = new DaemonOptions()
                .setName(WORKERS + projection.name())
                .setRole(settings.role())
                .setWorkers(settings.workers())
                .setMaxWorkers(settings.workers());
        return store.start()
                .compose(started -> ShardedDaemonProcess.start(
                        vertx,
                        sharding,
                        options,
                        worker -> new ProjectionWorker<>(
                                projection, store, worker.number(), worker.total(), worker.token())))
                .onSuccess(process -> STARTED.add(vertx, projection.name(), new StartedProjection(this, projection)));
    }

    /** The projections that were started on a Vertx, by name, until their workers are stopped there. */
    public static Map<String, StartedProjection> startedOn(Vertx vertx) {
        Set<String> running = ShardedDaemonProcess.startedOn(vertx).keySet();
        return STARTED.on(vertx).entrySet().stream()
                .filter(entry -> running.contains(WORKERS + entry.getKey()))
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Number of positions between the projection's stored offsets and the ends of all logs of its type. */
    public Future<Long> lag(Projection<?> projection) {
        OffsetStore offsets = offsets(projection);
        return store.reader().type(projection.type()).compose(type -> {
            if (type == null) {
                return Future.succeededFuture(0L);
            }
            return Future.all(store.reader().logs(type), offsets.positions(projection.name()))
                    .map(both -> lag(both.<List<LogInfo>>resultAt(0), both.<Map<Integer, Long>>resultAt(1)));
        });
    }

    private static long lag(List<LogInfo> logs, Map<Integer, Long> positions) {
        return logs.stream()
                .mapToLong(log -> Math.max(0, log.end() - positions.getOrDefault(log.log(), 0L)))
                .sum();
    }

    /** The first 1,000 events that were parked, in the order of logs and positions. */
    public Future<List<OffsetStore.Parked>> parked(Projection<?> projection) {
        return parked(projection, MOST_PARKED);
    }

    /**
     * The first events that were parked, in the order of logs and positions.
     *
     * @param limit how many at most, 1 to 1,000
     * @throws IllegalArgumentException for another limit
     */
    public Future<List<OffsetStore.Parked>> parked(Projection<?> projection, int limit) {
        if (limit < 1 || limit > MOST_PARKED) {
            throw new IllegalArgumentException(limit + " parked events: use 1 to 1,000");
        }
        return offsets(projection).parked(projection.name(), limit);
    }

    /** Number of parked events. */
    public Future<Long> parkedCount(Projection<?> projection) {
        return offsets(projection).parkedCount(projection.name());
    }

    /** Whether both belong to the same sharding; a Vertx may have several, one after the other. */
    boolean isBeside(Projections other) {
        return sharding == other.sharding;
    }

    boolean isOfStore(Projections other) {
        return store == other.store;
    }

    private OffsetStore offsets(Projection<?> projection) {
        return projection.handler().offsets(store.offsets());
    }

    /**
     * Pauses a projection on all nodes. Its workers ask the store for a pause at least once in a poll interval, and
     * then begin no further batch; batches under way end. The store of the offsets keeps the pause until {@link
     * #resume}, so workers that start later, on other nodes or after a restart, are paused, too. May be repeated.
     *
     * @return completes when the pause is stored, perhaps before the workers know of it; fails as the store does
     */
    public Future<Void> pause(Projection<?> projection) {
        return offsets(projection).setPaused(projection.name(), true);
    }

    /** Ends a pause: the workers continue within their poll interval. Has no effect if the projection is not paused. */
    public Future<Void> resume(Projection<?> projection) {
        return offsets(projection).setPaused(projection.name(), false);
    }

    /** Whether the projection is paused, by any node. */
    public Future<Boolean> isPaused(Projection<?> projection) {
        return offsets(projection).isPaused(projection.name());
    }

    /**
     * Makes a paused projection begin again with the first event that is still stored when it is resumed, and deletes
     * its list of parked events. After completion, batches that began before cannot move the offset, and with a {@code
     * PostgresHandler} cannot write: then empty the view, and resume.
     *
     * @return fails with IllegalStateException, without a change, unless the projection is paused
     */
    public Future<Void> reset(Projection<?> projection) {
        return offsets(projection)
                .reset(projection.name())
                .compose(reset -> reset
                        ? Future.succeededFuture()
                        : Future.failedFuture(new IllegalStateException("projection '" + projection.name()
                                + "' is not paused: pause it, reset it, empty its view, and resume it")));
    }
}
