package accounts;

import io.shardbus.Ask;
import io.shardbus.InternalMessage;

/** What is noted about a command that its client may send again. */
public sealed interface CommandMessage extends Ask<CommandState>, InternalMessage {
    /**
     * The command has come, for the first time or again. Refused with COMMAND_ID_REUSED where another command has come
     * under the id.
     *
     * @param now milliseconds since 1970
     */
    record Begin(String what, long now) implements CommandMessage {}

    /**
     * Its first sender knows that the account has not executed what it sent, and begins anew: the moment changes where
     * no other has sent the command meanwhile, which may have been executed then.
     *
     * @param now milliseconds since 1970
     */
    record Renew(long now) implements CommandMessage {}

    /** The account has executed or refused it. The first answer stays, but that of an effect replaces a refusal. */
    record Keep(String answer, boolean refused) implements CommandMessage {}
}
