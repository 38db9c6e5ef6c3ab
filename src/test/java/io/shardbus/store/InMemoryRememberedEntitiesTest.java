package io.shardbus.store;

import io.shardbus.contract.RememberedEntitiesStoreContract;
import io.shardbus.spi.RememberedEntitiesStore;
import java.util.List;

class InMemoryRememberedEntitiesTest extends RememberedEntitiesStoreContract {
    private final InMemoryRememberedEntities content = new InMemoryRememberedEntities();
    private final List<RememberedEntitiesStore> nodes =
            List.of(content, new InMemoryRememberedEntities(content), new InMemoryRememberedEntities(content));

    @Override
    protected List<RememberedEntitiesStore> nodes() {
        return nodes;
    }

    @Override
    protected RememberedEntitiesStore newInstance() {
        return new InMemoryRememberedEntities(content);
    }
}
