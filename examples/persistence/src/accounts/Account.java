package accounts;

import accounts.AccountMessage.Arrived;
import accounts.AccountMessage.Deposit;
import accounts.AccountMessage.Get;
import accounts.AccountMessage.Receive;
import accounts.AccountMessage.Transfer;
import accounts.AccountMessage.Withdraw;
import io.shardbus.EntityRef;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.PersistenceContext;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;

/**
 * An account. A transfer is one event of its source: the amount leaves, and is on its way until the target has said that
 * it arrived. The source sends it again until then, one after the other to each target, and the target takes each number
 * once; so money leaves and arrives exactly once, however often instances die in between.
 */
final class Account implements EventSourcedEntity<AccountMessage, AccountEvent, AccountState> {
    private static final Duration DEADLINE = Duration.ofSeconds(3);
    private static final long PAUSE_MS = 300;

    private final String id;
    private final Function<String, EntityRef<AccountMessage>> accounts;
    /** Accounts to which this instance is sending something. */
    private final Set<String> underWay = new HashSet<>();

    Account(String id, Function<String, EntityRef<AccountMessage>> accounts) {
        this.id = id;
        this.accounts = accounts;
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
        if (message instanceof Get) {
            return reply(view(state.balance(), state.events(), context));
        }
        if (message instanceof Deposit deposit) {
            return move(state, deposit.amount(), new AccountEvent.Deposited(deposit.amount()), context);
        }
        if (message instanceof Withdraw withdraw) {
            return move(state, -withdraw.amount(), new AccountEvent.Withdrawn(withdraw.amount()), context);
        }
        if (message instanceof Transfer transfer) {
            var sent = new AccountEvent.Sent(transfer.to(), transfer.amount());
            return move(state, -transfer.amount(), sent, context).thenRun(now -> send(now, context));
        }
        if (message instanceof Receive receive) {
            return receive(state, receive, context);
        }
        if (message instanceof Arrived arrived && state.open().containsKey(arrived.number())) {
            return persist(new AccountEvent.Settled(arrived.number())).thenRun(now -> send(now, context));
        }
        return nothing().thenRun(now -> send(now, context));
    }

    /** An event that the balance allows. */
    private Effect<AccountEvent, AccountState> move(
            AccountState state, long change, AccountEvent event, PersistenceContext<AccountMessage> context) {
        if (state.balance() + change < 0) {
            return change < 0
                    ? refuse("INSUFFICIENT", "the balance is " + state.balance())
                    : refuse("OVERFLOW", "more than an account can hold");
        }
        return persist(event).thenReply(now -> view(now.balance(), now.events(), context));
    }

    private Effect<AccountEvent, AccountState> receive(
            AccountState state, Receive receive, PersistenceContext<AccountMessage> context) {
        if (receive.number() <= state.taken().getOrDefault(receive.from(), 0L)) {
            return reply(view(state.balance(), state.events(), context));
        }
        return persist(new AccountEvent.Received(receive.from(), receive.number(), receive.amount()))
                .thenReply(now -> view(now.balance(), now.events(), context));
    }

    private AccountView view(long balance, long events, PersistenceContext<AccountMessage> context) {
        return new AccountView(id, balance, events, context.node().value(), context.incarnation(), context.token());
    }

    @Override
    public void recovered(AccountState state, PersistenceContext<AccountMessage> context) {
        send(state, context);
    }

    /** Sends the oldest open transfer of each target, unless one of its is under way. */
    private void send(AccountState state, PersistenceContext<AccountMessage> context) {
        state.open().forEach((number, open) -> {
            if (underWay.add(open.to())) {
                accounts.apply(open.to())
                        .ask(new Receive(id, number, open.amount()), DEADLINE)
                        .onComplete(answer -> {
                            underWay.remove(open.to());
                            if (answer.succeeded()) {
                                context.self().tell(new Arrived(number));
                            } else {
                                context.vertx()
                                        .setTimer(
                                                PAUSE_MS,
                                                fired -> context.self().tell(new AccountMessage.LookAfter()));
                            }
                        });
            }
        });
    }
}
