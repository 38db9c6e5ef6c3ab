package io.shardbus.membership;

import io.shardbus.core.control.Seats;
import io.shardbus.logging.RecentWarnings;
import io.shardbus.membership.detection.HeartbeatWatch;
import io.shardbus.membership.detection.LossReasons;
import io.shardbus.model.LossReason;
import io.shardbus.model.NodeId;
import io.shardbus.options.ClusterOptions;
import io.shardbus.spi.StateStore;
import io.shardbus.store.infinispan.InfinispanRecords;
import io.shardbus.store.infinispan.InfinispanStateStore;
import io.shardbus.store.infinispan.RememberedCache;
import io.shardbus.store.infinispan.TermCache;
import io.shardbus.transport.tls.TlsMaterial;
import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.spi.cluster.NodeInfo;
import io.vertx.core.spi.cluster.RegistrationInfo;
import io.vertx.ext.cluster.infinispan.InfinispanClusterManager;
import io.vertx.ext.cluster.infinispan.impl.DataConverter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.infinispan.context.Flag;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.notifications.Listener;
import org.infinispan.notifications.cachemanagerlistener.annotation.Merged;
import org.infinispan.notifications.cachemanagerlistener.event.MergeEvent;
import org.infinispan.remoting.transport.Address;
import org.jspecify.annotations.Nullable;

/**
 * The cluster manager of a sharded Vert.x; extends the stock manager for Infinispan. When a split ends, or a node was
 * suspected wrongly, the stock manager leaves the node without its event-bus registrations and address for ever
 * (eclipse-vertx/vert.x#4394); this manager publishes them again. A node has a new name at every start. Methods that do
 * not work on Infinispan 15 are overridden as well.
 *
 * <p>One instance serves one start of one Vert.x. The Infinispan container starts when Vert.x joins the cluster and
 * stops when it leaves. A JVM that ends without {@code vertx.close()} leaves the cluster as if it had crashed.
 */
public final class ShardbusClusterManager extends InfinispanClusterManager {
    private static final String NODE_INFO = "__vertx.nodeInfo";
    private static final String REGISTRATIONS = "__vertx.subs";
    /** Methods of the stock manager that this class overrides. */
    static final Set<String> OVERRIDDEN = Set.of(
            "init",
            "join",
            "leave",
            "setNodeInfo",
            "addRegistration",
            "removeRegistration",
            "getNodes",
            "getNodeInfo",
            "clusterHost",
            "clusterPublicHost");

    private static final int SEAT_ATTEMPTS = 50;
    private static final long SEAT_PAUSE_MS = 20;

    private final DefaultCacheManager container;
    private final ClusterOptions options;
    private final SeatPlan plan;
    private final @Nullable ClusterTls tls;
    private volatile @Nullable ClusterSeats seats;
    private final List<Future<?>> leftBehind = new CopyOnWriteArrayList<>();
    private final RegistrationKeeper keeper;
    private final ContainerTransport transport;
    private final OwnThread topologies = new OwnThread("shardbus-topologies");
    private @Nullable VertxInternal vertx;
    private @Nullable BusConnections connections;
    private volatile @Nullable NodeInfo ownInfo;
    private final AtomicBoolean sharded = new AtomicBoolean();
    private final Promise<Void> left = Promise.promise();

    /** The cluster manager of a node with default options: the cluster stays on the loopback of this host. */
    public static ShardbusClusterManager create() {
        return create(new ClusterOptions());
    }

    /**
     * Reads the configuration files; joins no cluster yet. Blocks for about 0.2 s.
     *
     * @throws IllegalArgumentException if an option is not allowed or a file that it names does not exist
     * @throws java.io.UncheckedIOException if a configuration file cannot be read
     */
    public static ShardbusClusterManager create(ClusterOptions options) {
        var prefix = options.getNodeName();
        var nodeName = NodeNames.unique(prefix != null ? prefix : NodeNames.host());
        var configuration = ClusterConfiguration.of(options, nodeName);
        var plan = ClusterConfiguration.seats(options, configuration);
        var tlsOptions = options.getTls();
        var tls = tlsOptions == null ? null : new ClusterTls(tlsOptions);
        if (tls != null) {
            ClusterConfiguration.connectBy(tls.sockets(), configuration);
        }
        return new ShardbusClusterManager(
                new DefaultCacheManager(configuration, false), new ClusterOptions(options), plan, tls);
    }

    /**
     * Notes that sharding begins on this node; allowed once. When sharding is closed, the node says goodbye, and its
     * peers remember that while it is a member.
     *
     * @throws IllegalStateException if sharding began before
     */
    public void beginSharding() {
        if (!sharded.compareAndSet(false, true)) {
            throw new IllegalStateException(
                    "sharding was started before on this Vertx; when it is closed, its node has said goodbye to the"
                            + " cluster: build another Vertx");
        }
    }

    /**
     * The cluster manager with which a clustered Vert.x was built.
     *
     * @throws IllegalStateException if that is no ShardbusClusterManager, or the Vert.x is not clustered
     */
    public static ShardbusClusterManager of(Vertx vertx) {
        var found = ((VertxInternal) vertx).clusterManager();
        if (found instanceof ShardbusClusterManager manager) {
            return manager;
        }
        throw new IllegalStateException("sharding over a cluster needs ShardbusClusterManager, but this Vert.x has "
                + (found == null ? "no cluster manager" : found.getClass().getName())
                + ". Build it with "
                + "Vertx.builder().withClusterManager(ShardbusClusterManager.create(...)).buildClustered()");
    }

    private ShardbusClusterManager(
            DefaultCacheManager container, ClusterOptions options, SeatPlan plan, @Nullable ClusterTls tls) {
        super(container);
        this.plan = plan;
        this.tls = tls;
        this.container = container;
        this.options = options;
        this.keeper = new RegistrationKeeper(new StockRegistrations());
        this.transport = new ContainerTransport(container, NODE_INFO);
    }

    /** The Infinispan container, which runs while Vert.x is in the cluster. */
    public EmbeddedCacheManager container() {
        return container;
    }

    /** A store that all nodes of the cluster share. */
    public StateStore stateStore() {
        return new InfinispanStateStore(container);
    }

    /** Records, texts by name, that all nodes of the cluster share; the caller closes the store. */
    public InfinispanRecords records() {
        return new InfinispanRecords(container);
    }

    /** The identity of this node; known once Vert.x has joined the cluster. */
    public NodeId nodeId() {
        return new NodeId(getNodeId());
    }

    /** TLS material of this node's connections; empty without TLS. */
    public Optional<TlsMaterial> tls() {
        return Optional.ofNullable(tls).map(ClusterTls::material);
    }

    public String clusterName() {
        return options.getClusterName();
    }

    @Override
    public void init(Vertx vertx) {
        RecentWarnings.begin();
        super.init(vertx);
        this.vertx = (VertxInternal) vertx;
        this.connections = new BusConnections(this.vertx);
    }

    @Override
    public void join(Completable<Void> promise) {
        blocking(() -> {
                    TermCache.define(container);
                    RememberedCache.define(container);
                    NodesCache.define(container);
                    PlatformChecks.requireOverrides(ShardbusClusterManager.class, OVERRIDDEN);
                    PlatformChecks.requireJava();
                    PlatformChecks.warn();
                    JoinRefusal.requireFreePort(options);
                    startContainer();
                    container.addListener(new MergeListener(keeper));
                    return null;
                })
                .recover(failure -> Future.failedFuture(JoinRefusal.of(failure, options)))
                .compose(started -> Future.<Void>future(super::join))
                .compose(joined -> findSeats())
                .compose(joined -> blocking(this::retryTopologies))
                .onSuccess(joined -> keeper.start())
                .onSuccess(joined -> PlatformChecks.warnOfStockProtocols(transport.stack()))
                .recover(failure -> blocking(this::stopContainer).transform(stopped -> Future.failedFuture(failure)))
                .onComplete(promise);
    }

    private void startContainer() {
        if (tls != null) {
            tls.requireSecureBus(vertx());
        }
        container.start();
        JoinRefusal.requireGuard(getNodes());
        if (tls != null) {
            transport.stack().ifPresent(tls::requireEncrypted);
        }
    }

    /** The coordinator of the caches may be a node without sharding. */
    private @Nullable Void retryTopologies() {
        new TopologyRetry(container, container.getCache(NODE_INFO).getAdvancedCache()).start(topologies);
        return null;
    }

    private Future<Void> findSeats() {
        var own = new OwnPlace(transport.boundTo());
        return new SeatSearch(vertx(), plan, own)
                .find()
                .compose(found -> blocking(() -> {
                    var locks = plan.namesOnHost(clusterName(), own).entrySet().stream()
                            .map(place -> HostLocks.of(place.getKey(), place.getValue()))
                            .toList();
                    seats = new ClusterSeats(
                            found, own, locks, address -> ClusterSeats.provesVacancy(options, address));
                    return null;
                }));
    }

    /**
     * Takes this node's host lock, by which other processes of this host see that sharding begins here: a Vertx without
     * sharding holds no seat. Fails if another process still holds the lock after about 1 s.
     */
    Future<Void> showOwnSeat() {
        return showOwnSeat(SEAT_ATTEMPTS);
    }

    private Future<Void> showOwnSeat(int attempts) {
        return vertx().executeBlocking(() -> clusterSeats().tryToShowOwn(), false)
                .compose(shown -> {
                    if (shown) {
                        return Future.succeededFuture();
                    }
                    if (attempts <= 1) {
                        return Future.failedFuture(
                                "another process of cluster " + clusterName() + " on this host holds the seat "
                                        + clusterSeats().seats().own());
                    }
                    return vertx().timer(SEAT_PAUSE_MS).compose(ended -> showOwnSeat(attempts - 1));
                });
    }

    private ClusterSeats clusterSeats() {
        return Objects.requireNonNull(seats, "known once Vert.x has joined the cluster");
    }

    /** The seats of the cluster as this node is configured; known once Vert.x has joined the cluster. */
    public Seats seats() {
        return clusterSeats().seats();
    }

    /**
     * The seats that a process may hold now. For each other seat this call has proven that no process holds it. Does
     * not block.
     */
    Future<Set<String>> occupiedSeats() {
        return vertx().executeBlocking(() -> clusterSeats().occupied(), false);
    }

    /** Whether {@link #occupiedSeats} showed every living process of the cluster. */
    boolean seesEveryProcess() {
        return clusterSeats().seesEveryProcess();
    }

    /** The reason why registrations are no longer kept published, or caches not compared with the view; else null. */
    @Nullable
    String end() {
        return keeper.end() != null ? keeper.end() : topologies.end();
    }

    /** Whether other nodes can send to this node: false from a merge until all is published in the merged caches. */
    boolean isPublished() {
        return keeper.isPublished();
    }

    /**
     * User code of this node still runs after the node has left: the node's seat stays occupied until {@code ended}
     * completes.
     */
    void occupyUntil(Future<?> ended) {
        leftBehind.add(ended);
    }

    @Override
    public void leave(Completable<Void> promise) {
        keeper.close();
        if (tls != null) {
            tls.end(vertx());
        }
        Future.fromCompletionStage(LeaveTurn.of(container))
                .compose(turn -> Future.<Void>future(super::leave))
                .eventually(() -> blocking(this::stopContainer))
                .onComplete(promise)
                .onComplete(done -> left.tryComplete());
    }

    /**
     * Completes when this node has left the cluster, well or not. {@code vertx.close()} completes before that if
     * another close has begun.
     */
    public Future<Void> left() {
        return left.future();
    }

    @Override
    public void setNodeInfo(NodeInfo nodeInfo, Completable<Void> promise) {
        boolean first = ownInfo == null;
        ownInfo = nodeInfo;
        if (!first) {
            super.setNodeInfo(nodeInfo, promise);
        } else {
            Future<Void> begun = tls == null ? Future.succeededFuture() : tls.begin(vertx());
            begun.compose(ready -> FirstAddress.publish(
                            () -> Future.future(published -> super.setNodeInfo(nodeInfo, published))))
                    .onComplete(promise);
        }
    }

    @Override
    public void addRegistration(String address, RegistrationInfo registration, Completable<Void> promise) {
        keeper.added(address, registration);
        super.addRegistration(address, registration, (done, failure) -> {
            if (failure != null) {
                keeper.removed(address, registration);
            }
            promise.complete(null, failure);
        });
    }

    @Override
    public void removeRegistration(String address, RegistrationInfo registration, Completable<Void> promise) {
        keeper.removed(address, registration);
        if (!container.getStatus().allowInvocations()) {
            // the container has stopped: the stock manager would throw, and the unregistration never complete
            promise.complete(null, null);
            return;
        }
        super.removeRegistration(address, registration, promise);
    }

    /** Answers on the event loop of this manager's that all connections of the event bus have. */
    @Override
    public void getNodeInfo(String nodeId, Completable<NodeInfo> promise) {
        var bus = Objects.requireNonNull(connections, "init(vertx) comes first");
        var caller = Vertx.currentContext();
        super.getNodeInfo(nodeId, (info, failure) -> bus.answer(caller, () -> promise.complete(info, failure)));
    }

    @Override
    public List<String> getNodes() {
        return container.getMembers().stream().map(Address::toString).toList();
    }

    @Override
    public @Nullable String clusterHost() {
        return transport.address("bind_addr");
    }

    @Override
    public @Nullable String clusterPublicHost() {
        return transport.address("external_addr");
    }

    LossReason lossReason(NodeId lost) {
        return transport
                .stack()
                .map(stack -> LossReasons.of(stack, lost.value()))
                .orElse(LossReason.SUSPICION);
    }

    Map<String, Long> unheard() {
        return transport.stack().map(HeartbeatWatch::unheard).orElse(Map.of());
    }

    private @Nullable Void stopContainer() {
        topologies.close();
        container.stop();
        var own = seats;
        if (own != null) {
            // empty after an ordinary close
            Future.join(List.copyOf(leftBehind)).onComplete(ended -> own.close());
        }
        return null;
    }

    private Future<Void> blocking(Callable<@Nullable Void> action) {
        return vertx().executeBlocking(action, false);
    }

    private VertxInternal vertx() {
        return Objects.requireNonNull(vertx, "init(vertx) comes first");
    }

    /** Must not block, as Infinispan calls it while it installs the view. */
    @Listener
    static final class MergeListener {
        private final RegistrationKeeper keeper;

        MergeListener(RegistrationKeeper keeper) {
            this.keeper = keeper;
        }

        @Merged
        public void merged(MergeEvent event) {
            if (!TopologyRetry.isRepeated(event)) {
                keeper.merged();
            }
        }
    }

    /** The stock manager's operations, none of which runs on an event loop. */
    private final class StockRegistrations implements RegistrationKeeper.Registrations {
        @Override
        public CompletableFuture<Void> add(String address, RegistrationInfo registration) {
            return onWorker(promise -> ShardbusClusterManager.super.addRegistration(address, registration, promise));
        }

        @Override
        public CompletableFuture<Void> remove(String address, RegistrationInfo registration) {
            return onWorker(promise -> ShardbusClusterManager.super.removeRegistration(address, registration, promise));
        }

        @Override
        public CompletableFuture<List<RegistrationInfo>> get(String address) {
            return future(promise -> ShardbusClusterManager.super.getRegistrations(address, promise));
        }

        /**
         * Writes to the cache directly: the stock manager would need a lock that its clean-up after lost nodes holds,
         * and that clean-up may wait for a cache for ever.
         */
        @Override
        public CompletableFuture<Void> publishNodeInfo() {
            var own = ownInfo;
            return own == null
                    ? CompletableFuture.completedFuture(null)
                    : container
                            .<String, byte[]>getCache(NODE_INFO)
                            .getAdvancedCache()
                            .withFlags(Flag.IGNORE_RETURN_VALUES)
                            .putAsync(getNodeId(), DataConverter.toCachedObject(own))
                            .thenApply(published -> null);
        }

        @Override
        public boolean areUnited() {
            return isUnited(NODE_INFO) && isUnited(REGISTRATIONS);
        }

        private boolean isUnited(String cache) {
            var topology = container
                    .getCache(cache)
                    .getAdvancedCache()
                    .getDistributionManager()
                    .getCacheTopology();
            return topology.getPendingCH() == null
                    && Set.copyOf(topology.getMembers()).containsAll(container.getMembers());
        }

        /** Runs on a worker context, as the stock manager runs a registration on the calling context. */
        private <T> CompletableFuture<T> onWorker(Consumer<Completable<T>> operation) {
            var context = vertx().createWorkerContext();
            return future(promise -> context.runOnContext(go -> operation.accept(promise)));
        }

        private <T> CompletableFuture<T> future(Consumer<Completable<T>> operation) {
            var future = new CompletableFuture<T>();
            operation.accept((result, failure) -> {
                if (failure == null) {
                    future.complete(result);
                } else {
                    future.completeExceptionally(failure);
                }
            });
            return future;
        }
    }
}
