package accounts;

/** What happened to an account, as it is stored. */
public sealed interface AccountEvent {
    record Deposited(long amount, Receipt receipt) implements AccountEvent {}

    record Withdrawn(long amount, Receipt receipt) implements AccountEvent {}

    /** The amount has left this account; its number is the event's sequence number. */
    record Sent(String to, long amount, Receipt receipt) implements AccountEvent {}

    /** The amount of another account's transfer has arrived here. */
    record Received(String from, long number, long amount) implements AccountEvent {}

    /** The transfer with this number is in the other account. */
    record Settled(long number) implements AccountEvent {}

    /**
     * The answer that the command got; stored with its effect.
     *
     * @param commandId null where the sender gave none
     * @param command what was asked for: the same id with another command is refused
     */
    record Receipt(String commandId, String command, AccountView answer) {}
}
