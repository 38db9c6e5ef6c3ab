package io.shardbus.runtime.node;

import io.shardbus.ClusterOperations;
import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ExternalShardAllocation;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingException;
import io.shardbus.core.protocol.Query;
import io.shardbus.logging.LogPace;
import io.shardbus.logging.RecentWarnings;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.model.ClusterState;
import io.shardbus.model.EntityLocation;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.control.ClusterPicture;
import io.shardbus.runtime.region.CallerContext;
import io.shardbus.runtime.region.RegionControl;
import io.shardbus.runtime.region.RegionHandle;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Sharding on one Vertx: the public face over the node's parts. */
public final class ShardingNode implements ClusterSharding {
    private static final String UNREACHABLE = "other nodes cannot send to this node until its event-bus addresses are"
            + " published again, as after a merge; it does so by itself";
    private static final Map<Vertx, ShardingNode> NODES = new ConcurrentHashMap<>();

    private final Vertx vertx;
    private final ShardingOptions options;
    private final NodeAssembly assembly;
    private final RegionStarter regions;
    private final NodeQueries queries;
    private final NodeShutdown shutdown;
    private final LogPace deadLetters;
    private final LeavePermission permission;

    private ShardingNode(Vertx vertx, ShardingOptions options) {
        RecentWarnings.begin();
        this.vertx = vertx;
        this.options = options;
        this.assembly = NodeAssembly.assemble(vertx, options);
        this.regions = new RegionStarter(vertx, assembly, assembly.onRoot(() -> WarmUp.once(vertx)));
        this.queries = new NodeQueries(assembly, regions);
        this.shutdown = new NodeShutdown(assembly, regions, queries);
        this.deadLetters = new LogPace(assembly.parts().clock()::now);
        this.permission = new LeavePermission(assembly);
    }

    /** The sharding of a Vertx, made on first use. */
    public static ShardingNode of(Vertx vertx, ShardingOptions options) {
        ShardingOptions copy = new ShardingOptions(options);
        copy.validate();
        RegistryMeters meters = meters(copy);
        ShardingNode node = NODES.computeIfAbsent(vertx, key -> new ShardingNode(key, copy));
        if (!node.options.equals(copy)) {
            throw new IllegalStateException(
                    "sharding runs on this Vertx with other options: " + node.options.differences(copy));
        }
        node.open(meters);
        return node;
    }

    /** Null where the options name no registry. */
    private static @Nullable RegistryMeters meters(ShardingOptions options) {
        String registry = options.getMetrics().getRegistry();
        if (registry.isEmpty()) {
            return null;
        }
        RegistryMeters found = RegistryMeters.load();
        found.require(registry);
        return found;
    }

    /** The open sharding of a Vertx. */
    public static Optional<ClusterSharding> find(Vertx vertx) {
        return Optional.ofNullable(NODES.get(vertx));
    }

    private void open(@Nullable RegistryMeters meters) {
        if (assembly.begin(queries)) {
            assembly.onRoot(() -> {
                queries.watchReadiness();
                return Future.succeededFuture();
            });
            ((VertxInternal) vertx).addCloseHook(completion -> close().onComplete(completion));
            // the last: a registry of the application's may throw
            if (meters != null) {
                meters.bind(this, options.getMetrics().getRegistry());
            }
        }
    }

    @Override
    public <M> Future<ShardRegion<M>> start(EntityDefinition<M> definition) {
        boolean proxy = definition
                .role()
                .map(role -> !options.getRoles().contains(role))
                .orElse(false);
        return CallerContext.complete(regions.start(definition, proxy));
    }

    @Override
    public <M> Future<ShardRegion<M>> startProxy(EntityDefinition<M> definition) {
        return CallerContext.complete(regions.start(definition, true));
    }

    @Override
    public <M> EntityRef<M> entityRef(EntityType<M> type, String entityId) {
        RegionHandle<?> handle = regions.isClosed()
                ? regions.find(type.name()).map(RegionControl::handle).orElse(null)
                : regions.handle(type.name());
        if (handle == null) {
            return new ClosedReference<>(type, entityId, deadLetters);
        }
        if (!handle.type().equals(type)) {
            throw new ShardingException(
                    FailureCode.UNKNOWN_TYPE,
                    "entity type '" + type.name() + "' was started with messages of "
                            + handle.type().messageClass().getName() + ", not "
                            + type.messageClass().getName());
        }
        @SuppressWarnings("unchecked")
        RegionHandle<M> typed = (RegionHandle<M>) handle;
        return typed.entityRef(entityId);
    }

    @Override
    public Set<String> startedTypes() {
        return regions.types();
    }

    @Override
    public Optional<ShardRegion<?>> region(String type) {
        return regions.find(type).map(RegionControl::handle);
    }

    @Override
    public NodeId self() {
        return assembly.self();
    }

    @Override
    public ShardingOptions options() {
        return new ShardingOptions(options);
    }

    @Override
    public ClusterState clusterState() {
        ClusterPicture picture = assembly.status().picture();
        return new ClusterState(
                self(),
                picture.members().stream()
                        .map(member -> node(member, picture.attributes().get(member)))
                        .toList(),
                assembly.status().coordinator(),
                assembly.status().term(),
                assembly.isAvailable(),
                assembly.status().isClusterStopping());
    }

    private static ClusterState.Node node(NodeId member, @Nullable NodeAttributes known) {
        return known == null
                ? new ClusterState.Node(member, Set.of(), false, "")
                : new ClusterState.Node(member, known.roles(), known.mayCoordinate(), known.appVersion());
    }

    @Override
    public Future<Set<NodeId>> regions(String type) {
        return CallerContext.complete(queries.regions(type));
    }

    @Override
    public Future<TypeState> typeState(String type) {
        return CallerContext.complete(queries.typeState(type));
    }

    @Override
    public Future<Set<String>> entityIds(String type, int shard) {
        return CallerContext.complete(queries.entityIds(type, shard));
    }

    @Override
    public Future<Optional<EntityLocation>> locate(String type, String entityId) {
        return CallerContext.complete(queries.locate(type, entityId));
    }

    @Override
    public Future<Integer> rebalance(String type) {
        return CallerContext.complete(queries.rebalance(new Query.Rebalance(type)));
    }

    @Override
    public Future<Integer> rebalance(String type, int limit) {
        return CallerContext.complete(queries.rebalance(new Query.Rebalance(type, limit)));
    }

    /** The read access of meters. */
    public MeterSource meters() {
        return new MeterSource(assembly, regions);
    }

    @Override
    public ClusterOperations operations() {
        return queries.operations();
    }

    @Override
    public ExternalShardAllocation externalAllocation(String type) {
        return queries.externalAllocation(type);
    }

    @Override
    public Future<Integer> drain(NodeId node) {
        return CallerContext.complete(queries.drain(node));
    }

    @Override
    public Future<Integer> undrain(NodeId node) {
        return CallerContext.complete(queries.undrain(node));
    }

    @Override
    public Future<Set<NodeId>> drainedNodes() {
        return CallerContext.complete(queries.drainedNodes());
    }

    @Override
    public Future<Void> prepareForShutdown() {
        return CallerContext.complete(queries.prepareForShutdown(true));
    }

    @Override
    public Future<Void> cancelShutdown() {
        return CallerContext.complete(queries.prepareForShutdown(false));
    }

    @Override
    public Future<Void> prepareToLeave(Duration loadBalancerDelay) {
        Promise<Void> prepared = Promise.promise();
        permission
                .ask()
                .compose(may -> new LeaveDrain(assembly, this, queries::cordonedNodes, options.getShutdownTimeoutMs())
                        .after(loadBalancerDelay))
                .onComplete(emptied -> {
                    if (emptied.succeeded()) {
                        prepared.tryComplete();
                    } else {
                        prepared.tryFail(emptied.cause());
                    }
                });
        // the event loops of a Vertx that closes may end before the node has seen that it is empty
        shutdown.over().onComplete(closed -> prepared.tryComplete());
        return CallerContext.complete(prepared.future());
    }

    @Override
    public boolean isLeaving() {
        return permission.hasBegun() || regions.isClosed();
    }

    @Override
    public boolean isReady() {
        return !permission.hasBegun()
                && regions.isReady()
                && assembly.isAvailable()
                && notReadyReasons().isEmpty();
    }

    @Override
    public List<String> notReadyReasons() {
        Stream<String> ofNode = Stream.of(
                        assembly.status().misfit(),
                        assembly.status().foundingComplaint(),
                        assembly.isReachable() ? null : UNREACHABLE)
                .filter(Objects::nonNull);
        return Stream.of(
                        ofNode,
                        missingTypes(),
                        regions.refusals().stream(),
                        regions.storeTroubles(),
                        regions.waits().stream())
                .flatMap(reasons -> reasons)
                .toList();
    }

    private Stream<String> missingTypes() {
        Set<String> started = startedTypes();
        return options().getRequiredTypes().stream()
                .filter(type -> !started.contains(type))
                .map(type -> "the type '" + type + "' is not started on this node, and the option requiredTypes names"
                        + " it: start it, or take it out of the option");
    }

    @Override
    public List<String> restartReasons() {
        return isLeaving() ? List.of() : assembly.status().restartReasons();
    }

    @Override
    public Future<Void> close() {
        return CallerContext.complete(shutdown.close().onComplete(done -> NODES.remove(vertx, this)));
    }
}
