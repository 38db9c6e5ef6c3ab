package accounts;

/** An account after all its events. Immutable. */
public record AccountState(long balance) {
    static final AccountState EMPTY = new AccountState(0);

    AccountState after(AccountEvent event) {
        return new AccountState(Math.addExact(balance, event.change()));
    }
}
