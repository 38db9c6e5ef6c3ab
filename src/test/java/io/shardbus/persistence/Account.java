package io.shardbus.persistence;

import io.shardbus.Ask;
import io.shardbus.EntityType;
import io.vertx.core.Future;
import java.util.List;

/** An account of which each movement is an event. */
class Account implements EventSourcedEntity<Account.Message, Account.Event, Long> {
    static final EntityType<Message> TYPE = EntityType.of("account", Message.class);

    sealed interface Message {}

    record Deposit(long amount) implements Message, Ask<Long> {}

    record Withdraw(long amount) implements Message, Ask<Long> {}

    record Balance() implements Message, Ask<Long> {}

    /** A balance that the store confirms, and is refused below this. */
    record Sure(long atLeast) implements Message, Ask<Long> {}

    /** Deposits that are stored together. */
    record Several(List<Long> amounts) implements Message, Ask<Long> {}

    /** Deposits what somebody else says later. */
    record Later(long amount) implements Message, Ask<Long> {}

    record Close() implements Message, Ask<Long> {}

    /** The number of the last event. */
    record Last() implements Message, Ask<Long> {}

    sealed interface Event {}

    record Deposited(long amount) implements Event {}

    record Withdrawn(long amount) implements Event {}

    static EventSourced<Message, Event, Long> type() {
        return EventSourced.of(TYPE, id -> new Account(), EventCodec.json(Event.class));
    }

    @Override
    public Long emptyState() {
        return 0L;
    }

    @Override
    public Effect<Event, Long> handle(Long balance, Message message, PersistenceContext<Message> context) {
        if (message instanceof Deposit deposit) {
            return persist(new Deposited(deposit.amount())).thenReply(now -> now);
        }
        if (message instanceof Withdraw withdraw) {
            return withdraw.amount() > balance
                    ? refuse("INSUFFICIENT", "the balance is " + balance)
                    : persist(new Withdrawn(withdraw.amount())).thenReply(now -> now);
        }
        if (message instanceof Sure sure) {
            Effect<Event, Long> read =
                    balance < sure.atLeast() ? refuse("INSUFFICIENT", "the balance is " + balance) : reply(balance);
            return read.confirmed();
        }
        if (message instanceof Several several) {
            return persist(several.amounts().stream().map(Deposited::new).toList())
                    .thenReply(now -> now);
        }
        if (message instanceof Later later) {
            return after(Future.succeededFuture(later.amount())
                    .map(amount -> persist(new Deposited(amount)).thenReply(now -> now)));
        }
        if (message instanceof Close) {
            return delete().thenReply(now -> now);
        }
        return message instanceof Last ? reply(context.sequenceNumber()) : reply(balance);
    }

    @Override
    public Long apply(Long balance, Event event) {
        if (event instanceof Deposited deposited) {
            if (deposited.amount() < 0) {
                throw new IllegalArgumentException("a deposit of " + deposited.amount());
            }
            return balance + deposited.amount();
        }
        return balance - ((Withdrawn) event).amount();
    }
}
