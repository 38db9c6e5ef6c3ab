package accounts;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.options.PassivationOptions;
import io.shardbus.options.PostgresOptions;
import io.shardbus.options.SqliteOptions;
import io.shardbus.persistence.DurableState;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.StateCodec;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.store.postgres.PostgresStore;
import io.shardbus.store.sqlite.SqliteStore;
import io.vertx.core.Vertx;
import java.util.function.Function;

/** The type of accounts, and where they are stored. */
final class Accounts {
    static final EntityType<AccountMessage> TYPE = EntityType.of("account", AccountMessage.class);
    static final EntityType<CommandMessage> COMMAND = EntityType.of("command", CommandMessage.class);
    static final EventCodec<AccountEvent> EVENTS = EventCodec.json(AccountEvent.class);

    static final EventSourced<AccountMessage, AccountEvent, AccountState> ACCOUNTS =
            EventSourced.of(TYPE, Account::new, EVENTS).withSnapshots(StateCodec.json(AccountState.class), 100);

    /** A command comes again soon, or it does not. */
    private static final long COMMAND_IDLE_MS = 10_000;

    private static final String SQLITE = "sqlite:";
    private static final String POSTGRES = "postgresql://";

    private Accounts() {}

    static EntityDefinition<AccountMessage> on(PersistenceStore store) {
        return ACCOUNTS.on(store);
    }

    static EntityDefinition<CommandMessage> commandsOn(PersistenceStore store) {
        return DurableState.of(COMMAND, id -> new Command(), StateCodec.json(CommandState.class))
                .on(store)
                .withPassivation(new PassivationOptions().setIdleTimeoutMs(COMMAND_IDLE_MS));
    }

    /** Where accounts are stored, and the table of their movements beside them. */
    record Database(PersistenceStore store, Movements movements) {}

    /**
     * How to open the database.
     *
     * @throws IllegalArgumentException for a text that names no store
     */
    static Function<Vertx, Database> database(String named) {
        if (named.startsWith(SQLITE) && named.length() > SQLITE.length()) {
            String file = named.substring(SQLITE.length());
            var options = new SqliteOptions().setFile(file);
            return vertx -> new Database(SqliteStore.create(vertx, options), new SqliteMovements(vertx, file));
        }
        if (named.startsWith(POSTGRES)) {
            var options = new PostgresOptions().setUri(named);
            return vertx -> {
                var store = PostgresStore.create(vertx, options);
                return new Database(store, new PostgresMovements(vertx, store, named));
            };
        }
        // without the text, which may hold a password
        throw new IllegalArgumentException("SHARDBUS_STORE names no store: use sqlite:FILE or " + POSTGRES + "...");
    }
}
