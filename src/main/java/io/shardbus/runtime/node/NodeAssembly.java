package io.shardbus.runtime.node;

import io.shardbus.ShardingException;
import io.shardbus.membership.Membership;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.options.DirectOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.control.AllocationSources;
import io.shardbus.runtime.control.ControlStatus;
import io.shardbus.runtime.control.CoordinatorVerticle;
import io.shardbus.runtime.control.NodeParts;
import io.shardbus.runtime.control.SplitBrainSetup;
import io.shardbus.runtime.region.RegionSettings;
import io.shardbus.spi.StateStore;
import io.shardbus.store.DesiredHomesStore;
import io.shardbus.store.InMemoryStateStore;
import io.shardbus.store.IncompatibleRecordException;
import io.shardbus.store.StandingOrdersStore;
import io.shardbus.store.infinispan.InfinispanRecords;
import io.shardbus.transport.BusTransport;
import io.shardbus.transport.direct.DirectPlace;
import io.shardbus.transport.seal.ClusterSecret;
import io.shardbus.transport.seal.Seals;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.spi.cluster.NodeInfo;
import java.security.SecureRandom;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of one node, and the order in which they start and end: store, membership, control plane, then regions. */
final class NodeAssembly {
    private static final Logger LOG = LoggerFactory.getLogger(NodeAssembly.class);

    private final Vertx vertx;
    private final NodeParts parts;
    private final CoordinatorVerticle control;
    private final LeaseSources leases;
    private final RememberedStores remembered;
    private final Context root;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final Promise<Void> started = Promise.promise();
    private volatile @Nullable String deployment;
    private volatile BusTransport.@Nullable Registration queryAddress;

    private NodeAssembly(Vertx vertx, NodeParts parts, SplitBrainSetup split, RememberedStores remembered) {
        this.vertx = vertx;
        this.parts = parts;
        this.control = new CoordinatorVerticle(parts, split);
        this.leases = new LeaseSources(vertx, parts);
        this.remembered = remembered;
        this.root = ((VertxInternal) vertx).createEventLoopContext();
    }

    static NodeAssembly assemble(Vertx vertx, ShardingOptions options) {
        ClusterSecret secret = secret(vertx, options);
        NodeAttributes attributes = new NodeAttributes(
                        Set.copyOf(options.getRoles()),
                        options.isCoordinator() && holdsSeat(vertx),
                        options.getAppVersion())
                .decidingBy(RegionSettings.safety(options).options())
                .sealingWith(secret == null ? Seals.NONE : secret.fingerprint());
        Membership membership = Membership.of(vertx, attributes);
        StateStore store =
                vertx.isClustered() ? ShardbusClusterManager.of(vertx).stateStore() : new InMemoryStateStore();
        ElapsedClock clock = new ElapsedClock();
        BusTransport transport = transport(vertx, options, secret, membership.self(), clock);
        String cluster = vertx.isClustered() ? ShardbusClusterManager.of(vertx).clusterName() : "local";
        long incarnation = new SecureRandom().nextLong() & Long.MAX_VALUE;
        if (!vertx.isClustered()) {
            LOG.info("not clustered: sharding is alone in this process");
        }
        RememberedStores remembered = RememberedStores.of(vertx, options);
        NodeParts parts = new NodeParts(
                membership.self(),
                incarnation,
                vertx.isClustered() ? options : alone(options),
                clock,
                transport,
                membership,
                store,
                remembered::started,
                allocation(vertx, options));
        SplitBrainSetup splitBrain = SplitBrainSetup.of(options, vertx, cluster);
        if (vertx.isClustered()) {
            ShardbusClusterManager.of(vertx).beginSharding();
        }
        return new NodeAssembly(vertx, parts, splitBrain, remembered);
    }

    /** Beside the term record: a coordinator that comes next reads what the last one did. */
    private static AllocationSources allocation(Vertx vertx, ShardingOptions options) {
        if (!vertx.isClustered()) {
            return AllocationSources.of(options, vertx, DesiredHomesStore.inMemory(), StandingOrdersStore.inMemory());
        }
        InfinispanRecords records = ShardbusClusterManager.of(vertx).records();
        return AllocationSources.of(
                options, vertx, new DesiredHomesStore(records, records::close), new StandingOrdersStore(records));
    }

    /** A node that is alone seals nothing. */
    private static @Nullable ClusterSecret secret(Vertx vertx, ShardingOptions options) {
        return options.getClusterSecretFile().isEmpty() || !vertx.isClustered()
                ? null
                : ClusterSecret.read(options.getClusterSecretFile());
    }

    private static BusTransport transport(
            Vertx vertx, ShardingOptions options, @Nullable ClusterSecret secret, NodeId self, ElapsedClock clock) {
        String prefix = options.getAddressPrefix();
        DirectPlace direct = direct(vertx, options);
        if (secret == null) {
            return new BusTransport(vertx, prefix, direct, clock::now);
        }
        Seals seals = new Seals(secret, self, new SecureRandom().nextLong());
        return BusTransport.sealed(vertx, prefix, direct, clock::now, seals);
    }

    /** Whether this node holds a seat: one without never coordinates, and does not stand for it. */
    private static boolean holdsSeat(Vertx vertx) {
        return !vertx.isClustered() || ShardbusClusterManager.of(vertx).seats().mayClaim();
    }

    /** A node of these parts, with the default way to decide about splits. */
    static NodeAssembly of(Vertx vertx, NodeParts parts, RememberedStores remembered) {
        SplitBrainSetup splitBrain =
                SplitBrainSetup.of(parts.options(), vertx, parts.self().value());
        return new NodeAssembly(vertx, parts, splitBrain, remembered);
    }

    /** Options of a node alone in its cluster: no other node can be there, so no earlier lease exists. */
    private static ShardingOptions alone(ShardingOptions options) {
        return new ShardingOptions(options).setAwaitPredecessorLeases(false);
    }

    /** Whether connections of the event bus show and take certificates. */
    boolean isTls() {
        return vertx.isClustered() && ShardbusClusterManager.of(vertx).tls().isPresent();
    }

    /** Whether frames are sealed with the cluster's secret. */
    boolean isSealed() {
        return vertx.isClustered() && !parts.options().getClusterSecretFile().isEmpty();
    }

    /** The endpoint of direct lane links; null if lanes have none, or are alone. */
    private static @Nullable DirectPlace direct(Vertx vertx, ShardingOptions options) {
        DirectOptions direct = options.getDirect();
        NodeInfo bus = vertx.isClustered() ? ShardbusClusterManager.of(vertx).getNodeInfo() : null;
        return bus == null || !direct.isEnabled()
                ? null
                : new DirectPlace(
                        vertx,
                        direct,
                        bus.host(),
                        ShardbusClusterManager.of(vertx).tls().orElse(null),
                        new SecureRandom()::nextLong);
    }

    /** Starts everything, once; true for the first call. */
    boolean begin(BusTransport.Answerer answerer) {
        if (!begun.compareAndSet(false, true)) {
            return false;
        }
        parts.store()
                .start()
                .compose(done -> requireCompatible())
                .compose(done -> onRoot(() -> answerQueries(answerer)))
                .compose(done -> onRoot(() -> vertx.deployVerticle(control, new DeploymentOptions())))
                .onSuccess(id -> deployment = id)
                .<Void>mapEmpty()
                .onFailure(this::tell)
                .onComplete(started);
        return true;
    }

    /** A node that is stopped before it has started is no error; the futures of its types fail in any case. */
    private void tell(Throwable failure) {
        if (isClosing()) {
            LOG.debug("sharding did not start on {}, as its Vertx closes", self(), failure);
        } else {
            LOG.error("sharding did not start on {}", self(), failure);
        }
    }

    /**
     * Fails if the term record is of a build that this one does not fit. Called before this node writes anything and
     * before others hear of it. Another failure of the read is ignored, as it may pass.
     */
    private Future<Void> requireCompatible() {
        return parts.store()
                .readTerm()
                .transform(read -> read.failed() && read.cause() instanceof IncompatibleRecordException other
                        ? Future.failedFuture(new ShardingException(
                                FailureCode.INCOMPATIBLE, String.valueOf(other.getMessage()), other))
                        : Future.succeededFuture());
    }

    private Future<Void> answerQueries(BusTransport.Answerer answerer) {
        BusTransport.Registration queries = parts.transport().answerQueries(self(), answerer);
        queryAddress = queries;
        return queries.ready();
    }

    /** Runs on a context that belongs to no verticle: what a verticle deploys, registers or times would end with it. */
    <T> Future<T> onRoot(Supplier<Future<T>> task) {
        Promise<T> promise = Promise.promise();
        root.runOnContext(ignored -> {
            try {
                task.get().onComplete(promise);
            } catch (RuntimeException e) {
                promise.fail(e);
            }
        });
        return promise.future();
    }

    Future<Void> started() {
        return started.future();
    }

    NodeId self() {
        return parts.self();
    }

    Vertx vertx() {
        return vertx;
    }

    NodeParts parts() {
        return parts;
    }

    /** Whether this side of the cluster may act, as far as it knows. */
    boolean isAvailable() {
        return status().picture().available() && !status().isCutOff() && !status().isMisfit();
    }

    /** Whether the others can send to this node; not right after a merge. Any thread. */
    boolean isReachable() {
        return parts.membership().isReachable();
    }

    /** Whether no other node is a member; any thread. */
    boolean isAlone() {
        return status().picture().members().size() == 1;
    }

    LeaseSources leases() {
        return leases;
    }

    CoordinatorVerticle control() {
        return control;
    }

    /** State of the control plane; any thread. */
    ControlStatus status() {
        return control.status();
    }

    /** Runs on the control context, once everything has started. */
    <T> Future<T> onControl(Function<CoordinatorVerticle, Future<T>> task) {
        return started().compose(done -> {
            Promise<T> promise = Promise.promise();
            Context context = Objects.requireNonNull(control.controlContext(), "deployed");
            context.runOnContext(ignored -> {
                try {
                    task.apply(control).onComplete(promise);
                } catch (RuntimeException e) {
                    promise.fail(e);
                }
            });
            return promise.future();
        });
    }

    /** Ends everything, in the reverse order; goes on when one part fails. */
    Future<Void> end() {
        return step(endControl(), "control plane")
                .compose(
                        done -> step(queryAddress == null ? Future.succeededFuture() : queryAddress.close(), "queries"))
                .compose(done -> step(leases.close(), "shard leases"))
                .compose(done -> step(remembered.close(), "store of remembered entities"))
                .onComplete(done -> parts.allocation().homes().close())
                .compose(done -> step(parts.membership().stop(), "membership"))
                .compose(done -> step(parts.store().close(), "state store"));
    }

    /** A Vertx that closes undeploys its verticles itself, before or after it tells this node. */
    private Future<Void> endControl() {
        String id = deployment;
        return id == null
                ? Future.succeededFuture()
                : vertx.undeploy(id)
                        .recover(failure -> isClosing() ? Future.succeededFuture() : Future.failedFuture(failure));
    }

    private boolean isClosing() {
        return ((VertxInternal) vertx).closeFuture().isClosed();
    }

    private static Future<Void> step(Future<Void> ending, String what) {
        return ending.recover(failure -> {
            LOG.warn("{} did not end in good order", what, failure);
            return Future.succeededFuture();
        });
    }
}
