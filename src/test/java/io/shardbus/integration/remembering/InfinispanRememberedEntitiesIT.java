package io.shardbus.integration.remembering;

import io.shardbus.contract.RememberedEntitiesStoreContract;
import io.shardbus.integration.Await;
import io.shardbus.integration.BareCluster;
import io.shardbus.spi.RememberedEntitiesStore;
import io.shardbus.store.infinispan.InfinispanRememberedEntities;
import java.util.ArrayList;
import java.util.List;
import org.infinispan.manager.EmbeddedCacheManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** In the memory of three cache managers in one JVM, over real connections. */
class InfinispanRememberedEntitiesIT extends RememberedEntitiesStoreContract {
    private static final BareCluster CLUSTER = new BareCluster(3);
    private static final List<EmbeddedCacheManager> CONTAINERS = new ArrayList<>();
    private static final List<RememberedEntitiesStore> STORES = new ArrayList<>();

    @BeforeAll
    static void start() {
        for (int i = 0; i < 3; i++) {
            CONTAINERS.add(CLUSTER.startContainer());
            STORES.add(started(CONTAINERS.get(i)));
        }
    }

    @AfterAll
    static void stop() {
        STORES.forEach(store -> Await.result(store.close()));
        CLUSTER.close();
    }

    @BeforeEach
    void clear() {
        CONTAINERS.get(0).getCache("shardbus.remembered").clear();
    }

    @Override
    protected List<RememberedEntitiesStore> nodes() {
        return STORES;
    }

    @Override
    protected RememberedEntitiesStore newInstance() {
        return started(CONTAINERS.get(1));
    }

    private static RememberedEntitiesStore started(EmbeddedCacheManager container) {
        var store = InfinispanRememberedEntities.replicated(
                container, InfinispanRememberedEntities.DEFAULT_OPERATION_TIMEOUT);
        Await.result(store.start());
        return store;
    }
}
