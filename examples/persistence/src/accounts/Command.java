package accounts;

import accounts.CommandMessage.Begin;
import accounts.CommandMessage.Keep;
import accounts.CommandMessage.Renew;
import io.shardbus.persistence.DurableStateEntity;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.persistence.StateEffect;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A command to an account under an id that its client chose without saying when: when it came first, and its answer. An
 * account remembers its last ids only, and refuses older commands by the moment of the first time.
 */
final class Command implements DurableStateEntity<CommandMessage, CommandState> {
    /** The name of a command's entity: of any account and any id it is as long as an entity's id may be. */
    static String idOf(String account, String key) {
        try {
            var digest = MessageDigest.getInstance("SHA-256")
                    .digest((account.length() + ":" + account + key).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each JDK has SHA-256", e);
        }
    }

    @Override
    public CommandState emptyState() {
        return CommandState.UNKNOWN;
    }

    @Override
    public StateEffect<CommandState> handle(
            CommandState state, CommandMessage message, PersistenceContext<CommandMessage> context) {
        if (message instanceof Begin begin) {
            return begin(state, begin);
        }
        if (message instanceof Renew renew) {
            return state.first() || state.isAnswered() || state.repeated()
                    ? reply(state)
                    : save(new CommandState(false, renew.now(), state.what(), "", false))
                            .thenReply(CommandState::toFirst);
        }
        var keep = (Keep) message;
        return state.isAnswered()
                ? reply(state)
                : save(new CommandState(false, state.heardOf(), keep.what(), keep.answer(), state.repeated()))
                        .thenReply(kept -> kept);
    }

    private StateEffect<CommandState> begin(CommandState state, Begin begin) {
        if (state.first()) {
            return save(new CommandState(false, begin.now(), begin.what(), "", false))
                    .thenReply(CommandState::toFirst);
        }
        if (state.isAnswered()) {
            return state.what().equals(begin.what())
                    ? reply(state)
                    : refuse("COMMAND_ID_REUSED", "this was the id of another command: give this one an id of its own");
        }
        // a command that was refused left no effect, so its id may still be another's
        return state.repeated()
                ? reply(state)
                : save(new CommandState(false, state.heardOf(), state.what(), "", true))
                        .thenReply(known -> known);
    }
}
