package io.shardbus.store.memory;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.shardbus.persistence.spi.EventReader;
import io.shardbus.persistence.spi.OffsetStore;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.ReminderStore;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.persistence.spi.StoreIdentity;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.persistence.spi.TypeSpec;
import io.shardbus.testkit.EventStoreContract;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

@DisplayName("The store in memory keeps the contract")
class MemoryContractTest {
    private static final int HISTORIES = Integer.getInteger("shardbus.contract.histories", 1_000);

    @TestFactory
    Stream<DynamicTest> keepsTheContract() {
        MemoryStore store = MemoryStore.create();
        return EventStoreContract.checks(vertx -> new Shared(store), HISTORIES).stream()
                .map(check -> dynamicTest(check.name(), check::run));
    }

    /** Stays open when a check closes it, as its content is in it. */
    private record Shared(MemoryStore store) implements PersistenceStore {
        @Override
        public Future<StoreIdentity> start() {
            return store.start();
        }

        @Override
        public Future<StoredType> register(TypeSpec type) {
            return store.register(type);
        }

        @Override
        public StoreConnection connect(Context lane) {
            return store.connect(lane);
        }

        @Override
        public EventReader reader() {
            return store.reader();
        }

        @Override
        public OffsetStore offsets() {
            return store.offsets();
        }

        @Override
        public ReminderStore reminders() {
            return store.reminders();
        }

        @Override
        public String name() {
            return store.name();
        }

        @Override
        public Future<Void> close() {
            return Future.succeededFuture();
        }
    }
}
