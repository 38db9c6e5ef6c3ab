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
                    : save(CommandState.begun(renew.now(), state.what())).thenReply(CommandState::toFirst);
        }
        var keep = (Keep) message;
        // one sending may be refused, and another one, which was held up, executed: its effect has the last word
        boolean isLast = state.isAnswered() && (keep.refused() || !state.refused());
        return isLast
                ? reply(state)
                : save(state.answered(keep.answer(), keep.refused())).thenReply(kept -> kept);
    }

    private StateEffect<CommandState> begin(CommandState state, Begin begin) {
        if (state.first()) {
            return save(CommandState.begun(begin.now(), begin.what())).thenReply(CommandState::toFirst);
        }
        if (!state.what().equals(begin.what())) {
            return refuse("COMMAND_ID_REUSED", "this was the id of another command: give this one an id of its own");
        }
        return state.isAnswered() || state.repeated()
                ? reply(state)
                : save(state.again()).thenReply(known -> known);
    }
}
