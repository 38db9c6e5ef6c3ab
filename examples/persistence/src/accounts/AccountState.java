package accounts;

/**
 * An account after all its events. Immutable.
 *
 * @param events how many there were
 */
public record AccountState(long balance, long events) {
    static final AccountState EMPTY = new AccountState(0, 0);

    AccountState after(AccountEvent event) {
        return new AccountState(Math.addExact(balance, event.change()), events + 1);
    }
}
