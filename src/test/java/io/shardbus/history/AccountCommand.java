package io.shardbus.history;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A command of a client to an account, which the client sends again with the same id while its outcome is unknown.
 *
 * @param id the Command-Id
 * @param to the target of a transfer
 * @param amount no other command of the history has it: so what is stored tells whose effect it is
 * @param timed whether it is sent with the moment at which it was made; its refusal is not kept then
 * @param sendings in their order; none is sent before the one before has ended
 */
public record AccountCommand(
        String id, Kind kind, String account, @Nullable String to, long amount, boolean timed, List<Sending> sendings) {

    public AccountCommand {
        if ((kind == Kind.TRANSFER) != (to != null)) {
            throw new IllegalArgumentException("a transfer has a target, and no other command: " + id);
        }
    }

    /** What is to happen to the account. */
    public enum Kind {
        DEPOSIT,
        WITHDRAW,
        TRANSFER;

        /** As paths and statements have it. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How a sending ended. */
    public enum Outcome {
        DONE,
        /** The account refuses the command as it is now. */
        REFUSED,
        /** Too many other commands came since: it may have been executed, and never will be. */
        TOO_OLD,
        /** A node that is gone or not able, or a deadline: the command may be executed now or later. */
        UNKNOWN,
        /** What no command of this client may be answered. */
        WRONG
    }

    /**
     * A request and what came of it.
     *
     * @param sent in nanoseconds of the clients' JVM, as {@code ended}
     * @param state what a command that was done is answered
     * @param reason why it was not done; empty if it was
     */
    public record Sending(
            String node,
            long sent,
            long ended,
            Outcome outcome,
            @Nullable AccountState state,
            String reason) {}

    /** The answers that say that it was done. */
    Stream<AccountState> states() {
        return sendings.stream().flatMap(sending -> Stream.ofNullable(sending.state()));
    }

    public boolean has(Outcome outcome) {
        return sendings.stream().anyMatch(sending -> sending.outcome() == outcome);
    }

    /** Whether its client knows what has become of it, or never will. */
    public boolean isAnswered() {
        return sendings.stream().anyMatch(sending -> sending.outcome() != Outcome.UNKNOWN);
    }

    long change() {
        return kind == Kind.DEPOSIT ? amount : -amount;
    }
}
