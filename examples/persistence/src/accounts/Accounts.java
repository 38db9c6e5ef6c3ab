package accounts;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.options.PassivationOptions;
import io.shardbus.persistence.DurableState;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.StateCodec;
import io.shardbus.persistence.spi.PersistenceStore;

/** The types of accounts and their commands. */
final class Accounts {
    static final EntityType<AccountMessage> TYPE = EntityType.of("account", AccountMessage.class);
    static final EntityType<CommandMessage> COMMAND = EntityType.of("command", CommandMessage.class);
    static final EventCodec<AccountEvent> EVENTS = EventCodec.json(AccountEvent.class);

    static final EventSourced<AccountMessage, AccountEvent, AccountState> ACCOUNTS =
            EventSourced.of(TYPE, Account::new, EVENTS).withSnapshots(StateCodec.json(AccountState.class), 100);

    /** A command comes again soon, or it does not. */
    private static final long COMMAND_IDLE_MS = 10_000;

    private Accounts() {}

    static EntityDefinition<AccountMessage> on(PersistenceStore store) {
        return ACCOUNTS.on(store);
    }

    static EntityDefinition<CommandMessage> commandsOn(PersistenceStore store) {
        return DurableState.of(COMMAND, id -> new Command(), StateCodec.json(CommandState.class))
                .on(store)
                .withPassivation(new PassivationOptions().setIdleTimeoutMs(COMMAND_IDLE_MS));
    }
}
