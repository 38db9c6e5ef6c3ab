package accounts;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.options.PostgresOptions;
import io.shardbus.options.SqliteOptions;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.StateCodec;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.store.postgres.PostgresStore;
import io.shardbus.store.sqlite.SqliteStore;
import io.vertx.core.Vertx;

/** The type of accounts, and where they are stored. */
final class Accounts {
    static final EntityType<AccountMessage> TYPE = EntityType.of("account", AccountMessage.class);
    static final EventCodec<AccountEvent> EVENTS = EventCodec.json(AccountEvent.class);

    static final EventSourced<AccountMessage, AccountEvent, AccountState> ACCOUNTS =
            EventSourced.of(TYPE, Account::new, EVENTS).withSnapshots(StateCodec.json(AccountState.class), 100);

    private static final String SQLITE = "sqlite:";
    private static final String POSTGRES = "postgresql://";

    private Accounts() {}

    static EntityDefinition<AccountMessage> on(PersistenceStore store) {
        return ACCOUNTS.on(store);
    }

    /** @throws IllegalArgumentException for a text that names no store */
    static PersistenceStore store(Vertx vertx, String named) {
        if (named.startsWith(SQLITE) && named.length() > SQLITE.length()) {
            return SqliteStore.create(vertx, new SqliteOptions().setFile(named.substring(SQLITE.length())));
        }
        if (named.startsWith(POSTGRES)) {
            return PostgresStore.create(vertx, new PostgresOptions().setUri(named));
        }
        // without the text, which may hold a password
        throw new IllegalArgumentException("SHARDBUS_STORE names no store: use sqlite:FILE or " + POSTGRES + "...");
    }
}
