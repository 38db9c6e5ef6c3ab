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

    /**
     * An amount arrives from another account. The numbers of one sender rise: one that is not above the last is
     * answered, and has no effect.
     */
    record Receive(String from, long number, long amount)
            implements AccountMessage, Ask<AccountView>, InternalMessage {}

    /** The transfer with this number has arrived. */
    record Arrived(long number) implements AccountMessage, InternalMessage {}

    /** Transfers of this account may be on their way without an instance that looks after them. */
    record LookAfter() implements AccountMessage, InternalMessage {}
}
