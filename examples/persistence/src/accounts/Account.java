package accounts;

import accounts.AccountMessage.Deposit;
import accounts.AccountMessage.Receive;
import accounts.AccountMessage.Transfer;
import accounts.AccountMessage.Withdraw;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.PersistenceContext;

/**
 * An account. A transfer is one event of its source, and the amount has left; {@link Transfers} deliver it to the
 * target, once.
 */
final class Account implements EventSourcedEntity<AccountMessage, AccountEvent, AccountState> {
    private final String id;

    Account(String id) {
        this.id = id;
    }

    @Override
    public AccountState emptyState() {
        return AccountState.EMPTY;
    }

    @Override
    public AccountState apply(AccountState state, AccountEvent event) {
        return state.after(event);
    }

    @Override
    public Effect<AccountEvent, AccountState> handle(
            AccountState state, AccountMessage message, PersistenceContext<AccountMessage> context) {
        if (message instanceof Deposit deposit) {
            return move(state, new AccountEvent.Deposited(deposit.amount()), context);
        }
        if (message instanceof Withdraw withdraw) {
            return move(state, new AccountEvent.Withdrawn(withdraw.amount()), context);
        }
        if (message instanceof Transfer transfer) {
            return move(state, new AccountEvent.Transferred(transfer.to(), transfer.amount()), context);
        }
        if (message instanceof Receive receive) {
            return move(state, new AccountEvent.Arrived(receive.from(), receive.amount()), context);
        }
        return reply(view(state, context.sequenceNumber(), context));
    }

    /** An event that the balance allows. */
    private Effect<AccountEvent, AccountState> move(
            AccountState state, AccountEvent event, PersistenceContext<AccountMessage> context) {
        if (state.balance() + event.change() < 0) {
            return event.change() < 0
                    ? refuse("INSUFFICIENT", "the balance is " + state.balance())
                    : refuse("OVERFLOW", "more than an account can hold");
        }
        long number = context.sequenceNumber() + 1;
        return persist(event).thenReply(now -> view(now, number, context));
    }

    private AccountView view(AccountState state, long number, PersistenceContext<AccountMessage> context) {
        return new AccountView(
                id, state.balance(), number, context.node().value(), context.incarnation(), context.token());
    }
}
