package io.shardbus.launcher;

import io.shardbus.options.PostgresOptions;
import io.shardbus.options.SqliteOptions;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.store.postgres.PostgresStore;
import io.shardbus.store.sqlite.SqliteStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A store of persistent entities as a configuration describes it: "store" is {@code sqlite} or {@code postgres}, the
 * other keys are those of {@link SqliteOptions} or {@link PostgresOptions}.
 */
record StoreConfig(String kind, JsonObject options) {
    /** Of the section, at the top of a launcher's file and in a region. */
    static final String KEY = "persistence";

    private static final String STORE = "store";
    private static final String SQLITE = "sqlite";
    private static final String POSTGRES = "postgres";

    private static final Map<Place, Share> SHARES = new ConcurrentHashMap<>();

    private record Place(Vertx vertx, StoreConfig config) {}

    private record Share(PersistenceStore store, int regions) {}

    /** @throws IllegalArgumentException naming the key that is wrong, without the value of an address */
    static StoreConfig of(ConfigSection section) {
        String kind = section.requiredText(STORE);
        var options = section.with(section.without(Set.of(STORE)));
        switch (kind) {
            case SQLITE -> LauncherConfig.checked(options, json -> new SqliteOptions(json), SqliteOptions::validate);
            case POSTGRES ->
                LauncherConfig.checked(options, json -> new PostgresOptions(json), PostgresOptions::validate);
            default -> throw section.refusal(STORE, "\"" + kind + "\": use one of " + SQLITE + ", " + POSTGRES);
        }
        return new StoreConfig(kind, options.json());
    }

    /** The kind of value that a key takes, of those that take no text. */
    static JsonObject shape() {
        return new JsonObject()
                .put("storeTimeoutMs", 0)
                .put("storePatienceMs", 0)
                .put("commitsInFlight", 0)
                .put("commitQueueBytes", 0)
                .put("recoveriesInFlight", 0)
                .put("partitions", 0);
    }

    /** The store for one more region; each is given back by {@link #release}. */
    PersistenceStore acquire(Vertx vertx) {
        return SHARES.compute(
                        new Place(vertx, this),
                        (place, share) -> share == null
                                ? new Share(open(vertx), 1)
                                : new Share(share.store(), share.regions() + 1))
                .store();
    }

    private PersistenceStore open(Vertx vertx) {
        return kind.equals(SQLITE)
                ? SqliteStore.create(vertx, new SqliteOptions(options))
                : PostgresStore.create(vertx, new PostgresOptions(options));
    }

    /** A region has ended. The last one closes the store. */
    Future<Void> release(Vertx vertx) {
        var unused = new AtomicReference<@Nullable PersistenceStore>();
        SHARES.computeIfPresent(new Place(vertx, this), (place, share) -> {
            if (share.regions() > 1) {
                return new Share(share.store(), share.regions() - 1);
            }
            unused.set(share.store());
            return null;
        });
        PersistenceStore store = unused.get();
        return store == null ? Future.succeededFuture() : store.close();
    }

    /** Without the options, which may hold a password. */
    @Override
    public String toString() {
        return kind;
    }
}
