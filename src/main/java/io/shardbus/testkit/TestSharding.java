package io.shardbus.testkit;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.shardbus.model.ClusterState;
import io.shardbus.model.EntityLocation;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A sharding without a cluster and without entities, for code that uses entities: every reference is a {@link
 * TestEntityRef}, the same for the same entity, so that messages of the code under test reach the test. Starting a type
 * calls no factory. May be used from any thread.
 */
public final class TestSharding implements ClusterSharding {
    private final Map<String, TestRegion<?>> regions = new ConcurrentHashMap<>();
    private final Map<EntityType<?>, Map<String, TestEntityRef<?>>> references = new ConcurrentHashMap<>();

    private TestSharding() {}

    public static TestSharding create() {
        return new TestSharding();
    }

    /** Returns this reference for its entity from now on. */
    public TestSharding with(TestEntityRef<?> reference) {
        ofType(reference.type()).put(reference.id(), reference);
        return this;
    }

    private Map<String, TestEntityRef<?>> ofType(EntityType<?> type) {
        return references.computeIfAbsent(type, key -> new ConcurrentHashMap<>());
    }

    /** The test's reference of an entity; types need not be started. */
    @Override
    @SuppressWarnings("unchecked")
    public <M> TestEntityRef<M> entityRef(EntityType<M> type, String entityId) {
        return (TestEntityRef<M>) ofType(type).computeIfAbsent(entityId, id -> TestEntityRef.of(type, id));
    }

    @Override
    public <M> Future<ShardRegion<M>> start(EntityDefinition<M> definition) {
        return started(definition, false);
    }

    @Override
    public <M> Future<ShardRegion<M>> startProxy(EntityDefinition<M> definition) {
        return started(definition, true);
    }

    private <M> Future<ShardRegion<M>> started(EntityDefinition<M> definition, boolean proxy) {
        TestRegion<M> region = new TestRegion<>(this, definition, proxy);
        regions.put(definition.type().name(), region);
        return Future.succeededFuture(region);
    }

    void left(String type) {
        regions.remove(type);
    }

    @Override
    public Set<String> startedTypes() {
        return new TreeSet<>(regions.keySet());
    }

    @Override
    public Optional<ShardRegion<?>> region(String type) {
        return Optional.ofNullable(regions.get(type));
    }

    @Override
    public NodeId self() {
        return TestEntityRef.NODE;
    }

    @Override
    public ShardingOptions options() {
        return new ShardingOptions();
    }

    @Override
    public ClusterState clusterState() {
        ClusterState.Node node = new ClusterState.Node(self(), Set.of(), true, ShardingOptions.DEFAULT_APP_VERSION);
        return new ClusterState(self(), List.of(node), self(), 1, true, false);
    }

    @Override
    public Future<Set<NodeId>> regions(String type) {
        return Future.succeededFuture(regions.containsKey(type) ? Set.of(self()) : Set.of());
    }

    @Override
    public Future<TypeState> typeState(String type) {
        return Future.succeededFuture(
                new TypeState(type, TestEntityRef.SHARDS, List.of(), List.of(), List.of(), Set.of(), 0));
    }

    @Override
    public Future<Set<String>> entityIds(String type, int shard) {
        return Future.succeededFuture(Set.of());
    }

    /** The location that the reference of the entity reports, if {@link #entityRef} has returned one. */
    @Override
    public Future<Optional<EntityLocation>> locate(String type, String entityId) {
        return Future.succeededFuture(references.entrySet().stream()
                .filter(entry -> entry.getKey().name().equals(type))
                .map(entry -> entry.getValue().get(entityId))
                .filter(reference -> reference != null)
                .map(TestEntityRef::location)
                .findFirst());
    }

    @Override
    public Future<Integer> rebalance(String type) {
        return Future.succeededFuture(0);
    }

    @Override
    public Future<Integer> rebalance(String type, int limit) {
        return Future.succeededFuture(0);
    }

    @Override
    public Future<Integer> drain(NodeId node) {
        return Future.succeededFuture(0);
    }

    @Override
    public Future<Integer> undrain(NodeId node) {
        return Future.succeededFuture(0);
    }

    @Override
    public Future<Set<NodeId>> drainedNodes() {
        return Future.succeededFuture(Set.of());
    }

    @Override
    public Future<Void> prepareForShutdown() {
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> cancelShutdown() {
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> prepareToLeave(Duration loadBalancerDelay) {
        return Future.succeededFuture();
    }

    @Override
    public boolean isLeaving() {
        return false;
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public Future<Void> close() {
        regions.clear();
        return Future.succeededFuture();
    }
}
