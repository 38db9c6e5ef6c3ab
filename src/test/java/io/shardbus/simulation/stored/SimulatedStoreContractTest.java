package io.shardbus.simulation.stored;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.store.memory.MemoryStore;
import io.shardbus.testkit.EventStoreContract;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

@DisplayName("The store of the simulator keeps the contract")
class SimulatedStoreContractTest {
    private static final int HISTORIES = 20;

    @TestFactory
    Stream<DynamicTest> keepsTheContract() {
        return EventStoreContract.checks(new Factory(), HISTORIES).stream()
                .map(check -> dynamicTest(check.name(), check::run));
    }

    /** Statements travel in the time of one event loop. */
    private static final class Factory implements EventStoreContract.StoreFactory {
        private final MemoryStore content = MemoryStore.create();
        private final List<SimulatedStore> stores = new CopyOnWriteArrayList<>();

        @Override
        public PersistenceStore open(Vertx vertx) {
            Context loop = vertx.getOrCreateContext();
            SimulatedStore store = new SimulatedStore(
                    content,
                    (millis, task) -> loop.runOnContext(now -> {
                        if (millis == 0) {
                            task.run();
                        } else {
                            vertx.setTimer(millis, fired -> task.run());
                        }
                    }),
                    new Random(1),
                    SimulatedStore.Witness.NONE);
            stores.add(store);
            return store;
        }

        @Override
        public boolean breakConnections() {
            stores.removeIf(SimulatedStore::isClosed);
            stores.forEach(store -> store.after(0, store::breakAll));
            return true;
        }
    }
}
