package accounts;

/** What happened to an account, as it is stored. */
public sealed interface AccountEvent {
    /** What it adds to the balance. */
    long change();

    record Deposited(long amount) implements AccountEvent {
        @Override
        public long change() {
            return amount;
        }
    }

    record Withdrawn(long amount) implements AccountEvent {
        @Override
        public long change() {
            return -amount;
        }
    }

    /** The amount has left this account, for another one. */
    record Transferred(String to, long amount) implements AccountEvent {
        @Override
        public long change() {
            return -amount;
        }
    }

    /** The amount of another account's transfer has arrived here. */
    record Arrived(String from, long amount) implements AccountEvent {
        @Override
        public long change() {
            return amount;
        }
    }
}
