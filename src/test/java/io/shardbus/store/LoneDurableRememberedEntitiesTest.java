package io.shardbus.store;

import io.shardbus.contract.RememberedEntitiesStoreContract;
import io.shardbus.spi.RememberedEntitiesStore;
import io.shardbus.store.infinispan.InfinispanRememberedEntities;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** In the files of a node that is in no cluster; a new instance is the node started again. */
class LoneDurableRememberedEntitiesTest extends RememberedEntitiesStoreContract {
    @TempDir
    private Path directory;

    private RememberedEntitiesStore store;

    @BeforeEach
    void start() {
        store = InfinispanRememberedEntities.durableAlone(
                directory, InfinispanRememberedEntities.DEFAULT_OPERATION_TIMEOUT);
        await(store.start());
    }

    @AfterEach
    void stop() {
        await(store.close());
    }

    @Override
    protected List<RememberedEntitiesStore> nodes() {
        return List.of(store);
    }

    @Override
    protected RememberedEntitiesStore newInstance() {
        stop();
        start();
        return store;
    }
}
