package io.shardbus.persistence;

import io.shardbus.EntityDefinition;
import io.shardbus.persistence.spi.PersistenceStore;
import java.util.ServiceLoader;

/**
 * Service provider that implements {@link EventSourced#on}: found by {@link ServiceLoader} once for each class loader
 * of the library, so that the public API does not depend on its implementation.
 */
public interface PersistenceProvider {
    /** The library's own. */
    PersistenceProvider INSTANCE = ServiceLoader.load(
                    PersistenceProvider.class, PersistenceProvider.class.getClassLoader())
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("META-INF/services/" + PersistenceProvider.class.getName()
                    + " is not on the class path: keep it in a shaded jar"));

    /** What is said of a persistent type without a store. */
    String NO_STORE = "a persistent type needs a store: SqliteStore.create(vertx, new SqliteOptions().setFile(file)) on"
            + " one machine, PostgresStore.create(vertx, new PostgresOptions().setUri(uri)) for a cluster, or"
            + " MemoryStore.create() in tests, which keeps nothing";

    /** As {@link EventSourced#on}. */
    <M, E, S> EntityDefinition<M> define(EventSourced<M, E, S> type, PersistenceStore store);

    /** As {@link DurableState#on}. */
    <M, S> EntityDefinition<M> define(DurableState<M, S> type, PersistenceStore store);
}
