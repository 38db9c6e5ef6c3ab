package accounts;

import io.shardbus.Ask;
import io.shardbus.InternalMessage;

/** What an account understands. */
public sealed interface AccountMessage {
    /** Changes nothing. */
    record Get() implements AccountMessage, Ask<AccountView> {}

    record Deposit(long amount) implements AccountMessage, Ask<AccountView> {}

    /** Refused with INSUFFICIENT where the balance is smaller. */
    record Withdraw(long amount) implements AccountMessage, Ask<AccountView> {}

    /** Takes an amount out, and has it arrive at another account; refused as a withdrawal is. */
    record Transfer(String to, long amount) implements AccountMessage, Ask<AccountView> {}

    /** An amount arrives from another account. */
    record Receive(String from, long amount) implements AccountMessage, Ask<AccountView>, InternalMessage {}
}
