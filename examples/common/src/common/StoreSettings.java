package common;

import io.shardbus.options.PostgresOptions;
import io.shardbus.options.SqliteOptions;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.StoreException;
import io.shardbus.store.postgres.PostgresStore;
import io.shardbus.store.sqlite.SqliteStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Where the entities of an example are stored: what {@code SHARDBUS_STORE} names. */
public final class StoreSettings {
    private static final String VARIABLE = "SHARDBUS_STORE";
    private static final String SQLITE = "sqlite:";
    private static final String POSTGRES = "postgresql://";
    /** The first call loads the driver, which takes longer than a call may where many processes start. */
    private static final int TRIES = 3;

    private static final long PAUSE_MS = 500;

    private final String place;
    private final Function<Vertx, PersistenceStore> store;

    private StoreSettings(String place, Function<Vertx, PersistenceStore> store) {
        this.place = place;
        this.store = store;
    }

    /**
     * @param otherwise the store where the environment names none
     * @throws IllegalArgumentException for a text that names no store
     */
    public static StoreSettings of(Map<String, String> environment, String otherwise) {
        var named = environment.getOrDefault(VARIABLE, otherwise);
        if (named.startsWith(SQLITE) && named.length() > SQLITE.length()) {
            var file = named.substring(SQLITE.length());
            return new StoreSettings(file, vertx -> SqliteStore.create(vertx, new SqliteOptions().setFile(file)));
        }
        if (named.startsWith(POSTGRES)) {
            var options = new PostgresOptions().setUri(named);
            return new StoreSettings(named, vertx -> PostgresStore.create(vertx, options));
        }
        // without the text, which may hold a password
        throw new IllegalArgumentException(VARIABLE + " names no store: use sqlite:FILE or " + POSTGRES + "...");
    }

    /** The file, or the URI of the database, which may hold a password. */
    public String place() {
        return place;
    }

    /** The store, which has started; the future fails with a text that names the variable. */
    public Future<PersistenceStore> open(Vertx vertx) {
        return Future.succeededFuture()
                .map(begun -> store.apply(vertx))
                .compose(opened -> start(vertx, opened, TRIES))
                .recover(failure -> Future.failedFuture(
                        new IllegalStateException(VARIABLE + " cannot be used: " + failure.getMessage(), failure)));
    }

    /** Only a store that does not answer is tried again: any other refusal is final. */
    private static Future<PersistenceStore> start(Vertx vertx, PersistenceStore opened, int tries) {
        return opened.start()
                .map(opened)
                .recover(failure -> tries > 1 && isUnreachable(failure)
                        ? vertx.timer(PAUSE_MS, TimeUnit.MILLISECONDS).compose(over -> start(vertx, opened, tries - 1))
                        : Future.failedFuture(failure));
    }

    private static boolean isUnreachable(Throwable failure) {
        return failure instanceof StoreException refused && refused.kind() == StoreException.Kind.UNREACHABLE;
    }
}
