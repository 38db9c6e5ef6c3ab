package io.shardbus.store;

import io.shardbus.contract.StateStoreContract;
import io.shardbus.spi.StateStore;
import java.util.List;

class InMemoryStateStoreTest extends StateStoreContract {
    private final StateStore shared = new InMemoryStateStore();

    @Override
    protected List<StateStore> nodes() {
        return List.of(shared, shared, shared);
    }
}
