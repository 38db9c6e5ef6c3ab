package io.shardbus.daemon;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingException;
import io.shardbus.logging.LogPace;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.options.DaemonOptions;
import io.shardbus.options.PassivationOptions;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.region.CallerContext;
import io.shardbus.spi.RecordStore;
import io.shardbus.store.InMemoryRecordStore;
import io.shardbus.store.infinispan.InfinispanRecords;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's part of a set of workers: starts its region, keeps its workers alive, and rescales the set. Shared by all
 * starts of the set on one Vertx. Any thread.
 */
final class RunningDaemon {
    private static final Logger LOG = LoggerFactory.getLogger(ShardedDaemonProcess.class);
    /** Number of nodes that send keep-alives; more than one, as a single node may be cut off. */
    private static final int KEEPERS = 3;

    private static final Duration RUN_TIMEOUT = Duration.ofSeconds(10);
    /** Time without a successful read after which failures are logged: reads fail while the cluster loses nodes. */
    private static final long LONGEST_UNREAD_MS = 10_000;

    private final Vertx vertx;
    private final ClusterSharding sharding;
    private final DaemonOptions options;
    private final DaemonStore store;
    private final Runnable closeRecords;
    /** Belongs to no verticle: keep-alives must not end with the verticle that starts the set. */
    private final ContextInternal context;

    private final ElapsedClock clock = new ElapsedClock();
    private final LogPace pace = new LogPace(clock::now);
    private final KeepAliveCircle circle = new KeepAliveCircle();
    /** Rank of this node among the hosts of the set; -1 until the coordinator knows it as one. */
    private volatile int place = -1;

    /** When the state of the set was last read, or this side of a split was not allowed to read it. */
    private volatile long readAt;

    private volatile boolean warned;
    private volatile @Nullable ShardRegion<WorkerCommand> region;
    private volatile boolean stopped;
    private final AtomicReference<@Nullable ShardedDaemonProcess> listed = new AtomicReference<>();

    RunningDaemon(Vertx vertx, ClusterSharding sharding, DaemonOptions options) {
        this.vertx = vertx;
        this.sharding = sharding;
        this.options = options;
        this.context = ((VertxInternal) vertx).createEventLoopContext();
        RecordStore records;
        if (vertx.isClustered()) {
            InfinispanRecords shared = ShardbusClusterManager.of(vertx).records();
            records = shared;
            closeRecords = shared::close;
        } else {
            records = new InMemoryRecordStore();
            closeRecords = () -> {};
        }
        this.store = new DaemonStore(records, options.getName());
    }

    /** @param workers makes a worker each time it starts */
    Future<RunningDaemon> begin(Function<WorkerContext, ? extends Deployable> workers) {
        return sharding.start(definition(workers))
                .onSuccess(started -> {
                    region = started;
                    if (!started.isProxy()) {
                        context.runOnContext(ignored -> keep());
                    }
                })
                .onFailure(failure -> closeRecords.run())
                .map(this);
    }

    private EntityDefinition<WorkerCommand> definition(Function<WorkerContext, ? extends Deployable> workers) {
        EntityDefinition<WorkerCommand> definition = EntityDefinition.of(
                        ShardedDaemonProcess.type(options.getName()),
                        id -> new WorkerEntity(
                                options.getName(),
                                options.getStopTimeoutMs(),
                                WorkerId.parse(id, options.getWorkers())
                                        .orElseThrow(() -> new IllegalArgumentException("no worker has the id " + id)),
                                vertx,
                                this::wanted,
                                workers))
                .withNumberOfShards(options.getMaxWorkers())
                .withMessageExtractor(new ShardedDaemonProcess.ByNumber())
                .withStopTimeout(Duration.ofMillis(options.getStopTimeoutMs()))
                .withPassivation(new PassivationOptions().setStrategy(PassivationOptions.NONE));
        return options.getRole().isEmpty() ? definition : definition.withRole(options.getRole());
    }

    Vertx vertx() {
        return vertx;
    }

    /** Makes this the set's listed start; false if another one is. */
    boolean list(ShardedDaemonProcess started) {
        return listed.compareAndSet(null, started);
    }

    Optional<ShardedDaemonProcess> listed() {
        return Optional.ofNullable(listed.get());
    }

    String name() {
        return options.getName();
    }

    /** As {@link ShardedDaemonProcess#state}. */
    Future<DaemonState> state() {
        return CallerContext.complete(store.readOr(DaemonState.initial(options.getWorkers())));
    }

    private Future<Optional<WorkerEntity.Wanted>> wanted(WorkerId worker) {
        return state().compose(agreed -> {
            Optional<WorkerId> wanted = agreed.wanted(worker);
            // written before the rescaling was completed
            return store.floor().map(floor -> wanted.map(id -> new WorkerEntity.Wanted(id, floor)));
        });
    }

    /** As {@link ShardedDaemonProcess#rescale}. */
    Future<Void> rescale(int workers) {
        if (workers < 1 || workers > options.getMaxWorkers()) {
            return Future.failedFuture(new IllegalArgumentException(
                    "workers = " + workers + ": must be a whole number in 1.." + options.getMaxWorkers()));
        }
        return state().compose(agreed -> {
            if (!agreed.completed()) {
                return Future.failedFuture(
                        new RescalingException("'" + name() + "' is being rescaled to " + agreed.total() + " workers"));
            }
            if (agreed.total() == workers) {
                return Future.succeededFuture();
            }
            DaemonState next = agreed.rescaled(workers);
            return store.replace(agreed, next).compose(written -> {
                if (!written) {
                    return rescale(workers);
                }
                LOG.info("daemon={} is rescaled from {} to {} workers", name(), agreed.total(), workers);
                return complete(next);
            });
        });
    }

    /**
     * Stops the workers of the previous revision, and stores the highest token that one of them can have had, as a part
     * of the work may go to a worker whose shard was assigned earlier. Several nodes may do so, and again when it is
     * done.
     */
    private Future<Void> complete(DaemonState rescaling) {
        Duration longest = RUN_TIMEOUT.plusMillis(WorkerEntity.LONGEST_START_MS + options.getStopTimeoutMs());
        List<Future<Boolean>> stops = IntStream.range(0, rescaling.previous())
                .mapToObj(number ->
                        worker(rescaling.previousWorker(number)).request(WorkerCommand.STOP, Boolean.class, longest))
                .toList();
        return Future.all(stops)
                .compose(all ->
                        sharding.typeState(ShardedDaemonProcess.type(name()).name()))
                .compose(assigned -> ShardedDaemonProcess.highestToken(assigned, rescaling.previous())
                        .map(store::raiseFloor)
                        .orElseGet(() -> Future.failedFuture(new ShardingException(
                                FailureCode.OUTCOME_UNKNOWN,
                                "the tokens of the stopped workers of '" + name()
                                        + "' are not known at this moment: the rescaling goes on by itself"))))
                .compose(raised -> store.replace(rescaling, rescaling.complete()))
                .mapEmpty();
    }

    private EntityRef<WorkerCommand> worker(WorkerId id) {
        return sharding.entityRef(ShardedDaemonProcess.type(name()), id.text());
    }

    /**
     * One step of the keeper: reads the agreed state and acts on it. On a side of a split that may not act it only
     * looks again later.
     */
    private void keep() {
        if (stopped || sharding.isLeaving()) {
            return;
        }
        if (!sharding.clusterState().available()) {
            readAt = clock.now();
            later(options.getKeepAliveIntervalMs());
            return;
        }
        state().compose(agreed -> lookForKeepers().map(agreed))
                .onComplete(read -> context.runOnContext(ignored -> {
                    if (read.failed()) {
                        unread(read.cause());
                        later(options.getKeepAliveIntervalMs());
                    } else {
                        readAt = clock.now();
                        keep(read.result());
                    }
                }));
    }

    /**
     * Finds the rank of this node among the hosts of the set: once a round, and at each step until the coordinator
     * knows this node as a host.
     */
    private Future<Void> lookForKeepers() {
        if (circle.isRound() || place < 0) {
            return sharding.regions(ShardedDaemonProcess.type(name()).name())
                    .onSuccess(hosts -> place = hosts.contains(sharding.self()) ? placeAmong(hosts) : -1)
                    .mapEmpty();
        }
        return Future.succeededFuture();
    }

    /** Rank of this node among the nodes that host the set, by their ids. */
    private int placeAmong(Set<NodeId> hosts) {
        return (int) hosts.stream()
                .filter(host -> host.compareTo(sharding.self()) < 0)
                .count();
    }

    private void keep(DaemonState agreed) {
        boolean keeps = place >= 0 && place < KEEPERS;
        warnOfOtherNumber(agreed);
        if (!agreed.completed() && keeps) {
            complete(agreed)
                    .onFailure(failure ->
                            trouble("workers of revision " + (agreed.revision() - 1) + " do not stop", failure))
                    .onComplete(done -> context.runOnContext(ignored -> later(options.getKeepAliveThrottleMs())));
        } else if (!keeps) {
            later(options.getKeepAliveIntervalMs());
        } else {
            WorkerId next = circle.next(agreed);
            worker(next)
                    .request(WorkerCommand.RUN, Boolean.class, RUN_TIMEOUT)
                    .onFailure(failure -> trouble("worker " + next.number() + " does not run", failure));
            later(circle.isRound() ? options.getKeepAliveIntervalMs() : options.getKeepAliveThrottleMs());
        }
    }

    /** Until it is rescaled, a set has the number of workers with which its first node was configured. */
    private void warnOfOtherNumber(DaemonState agreed) {
        if (agreed.revision() == 0 && agreed.total() != options.getWorkers() && !warned) {
            warned = true;
            LOG.warn(
                    "daemon={} has {} workers, though this node is configured with {}: rescale it to change that",
                    name(),
                    agreed.total(),
                    options.getWorkers());
        }
    }

    private void later(long millis) {
        if (!stopped) {
            context.setTimer(millis, ignored -> keep());
        }
    }

    private void unread(Throwable failure) {
        long unreadMs = clock.now() - readAt;
        if (unreadMs >= LONGEST_UNREAD_MS) {
            trouble("its state or its nodes could not be read for " + unreadMs / 1000 + " s", failure);
        }
    }

    private void trouble(String what, Throwable failure) {
        if (!stopped && pace.admits()) {
            LOG.warn("daemon={}: {}{}", name(), what, pace.note(), failure);
        }
    }

    boolean isOver() {
        ShardRegion<WorkerCommand> started = region;
        return started != null && SharedStarts.hasLeft(started);
    }

    /** Ends this node's part of the set. */
    Future<Void> end() {
        stopped = true;
        ShardRegion<WorkerCommand> started = region;
        return (started == null ? Future.<Void>succeededFuture() : started.leave())
                .onComplete(left -> closeRecords.run());
    }
}
