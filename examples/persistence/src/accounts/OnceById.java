package accounts;

import io.shardbus.Ask;
import io.shardbus.EntityRef;
import io.shardbus.ShardingException;
import io.shardbus.model.CommandId;
import io.shardbus.model.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.function.Function;

/**
 * Commands that have an id and no moment at which they were made. Notes when a command came first, before the account
 * hears of it, and its answer, also a refusal, before the client does. A repetition that finds no answer noted may
 * still have been executed: it comes to the account with the moment that is noted, which is no later than that of the
 * execution, so an account that has forgotten it refuses it.
 */
final class OnceById {
    /** Each but the first after others have overtaken the command. */
    private static final int ATTEMPTS = 4;

    private final Function<String, EntityRef<CommandMessage>> commands;

    OnceById(Function<String, EntityRef<CommandMessage>> commands) {
        this.commands = commands;
    }

    /** @param end of the client's patience, by {@link System#nanoTime} */
    Future<JsonObject> ask(EntityRef<AccountMessage> account, Ask<AccountView> command, String key, long end) {
        var noted = commands.apply(Command.idOf(account.id(), key));
        return noted.ask(new CommandMessage.Begin(command.toString(), System.currentTimeMillis()), left(end))
                .compose(known -> new Execution(account, command, key, noted, end).goOn(known, ATTEMPTS))
                .compose(OnceById::answer);
    }

    private static Future<JsonObject> answer(CommandState kept) {
        var answer = new JsonObject(kept.answer());
        return kept.refused()
                ? Future.failedFuture(new ShardingException(
                        FailureCode.ENTITY_FAILED, answer.getString("message"), answer.getString("error"), null))
                : Future.succeededFuture(answer);
    }

    private static Future<CommandMessage.Keep> refusal(Throwable failure) {
        return failure instanceof ShardingException refusal && refusal.entityCode() != null
                ? Future.succeededFuture(new CommandMessage.Keep(
                        new JsonObject()
                                .put("error", refusal.entityCode())
                                .put("message", refusal.getMessage())
                                .encode(),
                        true))
                : Future.failedFuture(failure);
    }

    /** One request of a client. */
    private record Execution(
            EntityRef<AccountMessage> account,
            Ask<AccountView> command,
            String key,
            EntityRef<CommandMessage> noted,
            long end) {
        Future<CommandState> goOn(CommandState known, int attempts) {
            if (known.isAnswered()) {
                return Future.succeededFuture(known);
            }
            if (System.nanoTime() - end >= 0) {
                // this node may have stood still, and the client has sent the command to another one
                return Future.failedFuture(new ShardingException(
                        FailureCode.TIMED_OUT, "the command was not sent in time: send it again with the same id"));
            }
            return OnceById.ask(account, command, new CommandId(key, known.heardOf()), end)
                    .map(answer -> new CommandMessage.Keep(answer.encode(), false))
                    .recover(OnceById::refusal)
                    .compose(keep -> noted.ask(keep, left(end)))
                    .recover(failure -> known.first() && attempts > 1 && isTooOld(failure)
                            ? overtaken(failure, attempts - 1)
                            : Future.failedFuture(failure));
        }

        /** So many others were executed meanwhile that the account remembers none of this one's time. */
        private Future<CommandState> overtaken(Throwable failure, int attempts) {
            return noted.ask(new CommandMessage.Renew(System.currentTimeMillis()), left(end))
                    .compose(known ->
                            known.first() || known.isAnswered() ? goOn(known, attempts) : Future.failedFuture(failure));
        }
    }

    private static boolean isTooOld(Throwable failure) {
        return failure instanceof ShardingException refusal && refusal.code() == FailureCode.COMMAND_TOO_OLD;
    }

    static Future<JsonObject> ask(EntityRef<AccountMessage> account, Ask<AccountView> command, CommandId id, long end) {
        // of an account with a very long id the first answer is not kept
        return account.ask(command, id, left(end))
                .compose(first -> first == null
                        ? account.ask(new AccountMessage.Get(), left(end))
                        : Future.succeededFuture(first))
                .map(AccountView::toJson);
    }

    /** At least a millisecond: an ask that is late by then ends with a timeout. */
    static Duration left(long end) {
        return Duration.ofMillis(Math.max(1, (end - System.nanoTime()) / 1_000_000));
    }
}
