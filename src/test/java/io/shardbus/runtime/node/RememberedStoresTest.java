package io.shardbus.runtime.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.shardbus.model.FencingToken;
import io.shardbus.options.ShardingOptions;
import io.shardbus.spi.RememberedEntitiesStore;
import io.shardbus.store.InMemoryRememberedEntities;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RememberedStoresTest {
    private static final FencingToken TOKEN = new FencingToken(1, 1, 1);

    @TempDir
    private Path parent;

    private final List<RememberedEntitiesStore> made = new ArrayList<>();

    @Test
    void nothingIsMadeBeforeATypeNeedsIt() {
        RememberedStores stores = new RememberedStores(this::make);
        assertTrue(stores.close().succeeded());
        assertEquals(List.of(), made);
        assertInstanceOf(IllegalStateException.class, stores.started().cause());
    }

    @Test
    void allTypesShareOneStoreThatEndsWithTheNode() {
        RememberedStores stores = new RememberedStores(this::make);
        RememberedEntitiesStore first = stores.started().result();
        assertSame(first, stores.started().result());
        assertEquals(1, made.size());
        assertTrue(stores.close().succeeded());
        assertTrue(first.shards("a").failed());
    }

    @Test
    void aStoreThatDidNotStartIsMadeAnew() {
        RememberedStores stores = new RememberedStores(() -> {
            RememberedEntitiesStore store = make();
            if (made.size() == 1) {
                store.close();
            }
            return store;
        });
        assertTrue(stores.started().failed());
        assertTrue(stores.started().succeeded());
        assertNotSame(made.get(0), stores.started().result());
    }

    @Test
    void aStoreWhoseStartThrowsHasFailed() {
        RememberedStores stores = new RememberedStores(() -> {
            make();
            if (made.size() == 1) {
                throw new IllegalArgumentException("no such directory");
            }
            return made.size() == 2 ? thatThrows() : made.get(made.size() - 1);
        });
        assertInstanceOf(IllegalArgumentException.class, stores.started().cause());
        assertInstanceOf(IllegalStateException.class, stores.started().cause());
        assertTrue(stores.started().succeeded());
    }

    @Test
    void aStoreThatStartsWhileTheNodeClosesIsClosed() {
        List<RememberedStores> all = new ArrayList<>();
        all.add(new RememberedStores(() -> {
            RememberedEntitiesStore store = make();
            all.get(0).close();
            return store;
        }));
        assertInstanceOf(IllegalStateException.class, all.get(0).started().cause());
        assertTrue(made.get(0).shards("a").failed());
    }

    private static RememberedEntitiesStore thatThrows() {
        return (RememberedEntitiesStore) Proxy.newProxyInstance(
                RememberedStoresTest.class.getClassLoader(),
                new Class<?>[] {RememberedEntitiesStore.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("start")) {
                        throw new IllegalStateException("cannot begin");
                    }
                    return Future.succeededFuture();
                });
    }

    @Test
    void aNodeInNoClusterKeepsItsEntitiesInItsDirectory() throws Exception {
        Path directory = parent.resolve("data");
        Vertx vertx = Vertx.vertx();
        ShardingOptions options =
                new ShardingOptions().setStateStoreMode("durable").setStateStoreDirectory(directory.toString());
        for (int i = 0; i < 2; i++) {
            RememberedStores stores = RememberedStores.of(vertx, options);
            assertEquals(i == 1, Files.exists(directory));
            RememberedEntitiesStore store = Await.result(stores.started());
            assertEquals(i == 0 ? Set.of() : Set.of("x"), Await.result(store.open("a", 1, TOKEN)));
            Await.result(store.update("a", 1, TOKEN, Set.of("x"), Set.of()));
            Await.result(stores.close());
        }
        Await.result(vertx.close());
    }

    private RememberedEntitiesStore make() {
        made.add(new InMemoryRememberedEntities());
        return made.get(made.size() - 1);
    }
}
