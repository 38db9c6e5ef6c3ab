package io.shardbus.integration.leases;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.contract.StateStoreContract;
import io.shardbus.integration.Await;
import io.shardbus.integration.BareCluster;
import io.shardbus.integration.ClusterNode;
import io.shardbus.spi.StateStore;
import io.shardbus.store.IncompatibleRecordException;
import io.shardbus.store.UnreadableRecordException;
import io.shardbus.store.infinispan.InfinispanStateStore;
import io.shardbus.store.infinispan.TermCache;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.manager.EmbeddedCacheManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three cache managers in one JVM, over real connections. */
class InfinispanStateStoreIT extends StateStoreContract {
    private static final BareCluster CLUSTER = new BareCluster(3);
    private static final List<EmbeddedCacheManager> CONTAINERS = new ArrayList<>();
    private static final List<StateStore> STORES = new ArrayList<>();

    @BeforeAll
    static void start() {
        for (int i = 0; i < 3; i++) {
            var container = CLUSTER.startContainer();
            CONTAINERS.add(container);
            var store = new InfinispanStateStore(container);
            STORES.add(store);
            Await.result(store.start());
        }
    }

    @AfterAll
    static void stop() {
        STORES.forEach(store -> Await.result(store.close()));
        CLUSTER.close();
    }

    @BeforeEach
    void clear() {
        CONTAINERS.get(0).getCache(TermCache.NAME).clear();
    }

    @Override
    protected List<StateStore> nodes() {
        return STORES;
    }

    @Test
    void refusesToWorkBeforeStartAndAfterClose() {
        var store = new InfinispanStateStore(CONTAINERS.get(0));
        assertTrue(failure(store.readTerm()) instanceof IllegalStateException);
        await(store.start());
        await(store.close());
        await(store.close());
        assertTrue(failure(store.replaceTerm(null, record(1, "a", 1, 0))) instanceof IllegalStateException);
        assertTrue(failure(store.start()) instanceof IllegalStateException);
    }

    @Test
    void doesNotTakeGarbageForARecord() {
        CONTAINERS
                .get(0)
                .getCache(TermCache.NAME)
                .put("term".getBytes(StandardCharsets.UTF_8), "garbage".getBytes(StandardCharsets.UTF_8));
        for (var node : nodes()) {
            assertTrue(failure(node.readTerm()) instanceof UnreadableRecordException);
        }
    }

    /** Nodes of an earlier build go on beside one of this build: its listener must not fail their writes. */
    @Test
    void doesNotFailTheWriteOfARecordOfAnEarlierBuild() {
        byte[] key = "term".getBytes(StandardCharsets.UTF_8);
        byte[] record = {4, 1, 2, 3};
        CONTAINERS.get(0).<byte[], byte[]>getCache(TermCache.NAME).put(key, record);
        for (var node : nodes()) {
            assertTrue(failure(node.readTerm()) instanceof IncompatibleRecordException);
        }
    }

    /**
     * Two of three members fall silent: this node's write waits for the one that owns the record, or for the copies of
     * both, until the time of an operation is over. Each operation ends all the same.
     */
    @Test
    void everyOperationEndsThoughOthersAreSilent() {
        try (var cluster = new BareCluster(3)) {
            var first = cluster.startNode();
            var others = List.of(cluster.startNode(), cluster.startNode());
            var store = new InfinispanStateStore(
                    first.manager.container(), Duration.ofMillis(1500), Duration.ofMillis(2000));
            await(store.start());
            others.forEach(ClusterNode::cutOff);
            var operations = new ArrayList<CompletableFuture<?>>();
            long begun = System.nanoTime();
            operations.add(ended(store.replaceTerm(null, record(1, "a", 1, 0))));
            operations.add(ended(store.readTerm()));
            operations.add(ended(store.replaceTerm(record(1, "a", 1, 0), record(2, "a", 1, 0))));
            CompletableFuture.allOf(operations.toArray(CompletableFuture[]::new))
                    .orTimeout(5, TimeUnit.SECONDS)
                    .join();
            long tookMs = (System.nanoTime() - begun) / 1_000_000;
            assertTrue(tookMs >= 1_500, "no operation waited for a silent member: " + tookMs + " ms");
            await(store.close());
            others.forEach(ClusterNode::heal);
        }
    }

    @Test
    void refusesAnUnsafeCacheOfItsName() {
        try (var cluster = new BareCluster(1)) {
            var container = cluster.startContainer();
            var unsafe = new ConfigurationBuilder();
            unsafe.clustering().cacheMode(CacheMode.REPL_ASYNC);
            container.defineConfiguration(TermCache.NAME, unsafe.build());
            var message = failure(new InfinispanStateStore(container).start()).getMessage();
            assertTrue(message.contains("must be REPL_SYNC with DENY_READ_WRITES"), message);
        }
    }

    @Test
    void refusesATimeoutShorterThanTheCaches() {
        var second = Duration.ofSeconds(1);
        assertThrows(IllegalArgumentException.class, () -> new InfinispanStateStore(CONTAINERS.get(0), second, second));
    }

    private static CompletableFuture<?> ended(Future<?> future) {
        return future.transform(any -> Future.succeededFuture())
                .toCompletionStage()
                .toCompletableFuture();
    }

    private static Throwable failure(Future<?> future) {
        var outcome = await(future.<Throwable>transform(
                result -> Future.succeededFuture(result.succeeded() ? null : result.cause())));
        if (outcome == null) {
            throw new AssertionError("succeeded with " + future.result());
        }
        return outcome;
    }
}
