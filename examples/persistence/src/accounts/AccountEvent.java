package accounts;

/** What happened to an account, as it is stored. */
public sealed interface AccountEvent {
    record Deposited(long amount) implements AccountEvent {}

    record Withdrawn(long amount) implements AccountEvent {}

    /** The amount has left this account; its number is the event's sequence number. */
    record Sent(String to, long amount) implements AccountEvent {}

    /** The amount of another account's transfer has arrived here. */
    record Received(String from, long number, long amount) implements AccountEvent {}

    /** The transfer with this number is in the other account. */
    record Settled(long number) implements AccountEvent {}
}
