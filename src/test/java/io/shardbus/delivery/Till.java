package io.shardbus.delivery;

import io.shardbus.Ask;
import io.shardbus.EntityType;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.PersistenceContext;

/** Pays amounts into purses; a negative one is taken out of them. */
final class Till implements EventSourcedEntity<Till.Pay, Till.Paid, Long> {
    static final EntityType<Pay> TYPE = EntityType.of("till", Pay.class);

    /** @param to purses, with commas between them */
    record Pay(String to, long amount) implements Ask<Long> {}

    record Paid(String to, long amount) {}

    static EventSourced<Pay, Paid, Long> tills() {
        return EventSourced.of(TYPE, id -> new Till(), EventCodec.json(Paid.class));
    }

    @Override
    public Long emptyState() {
        return 0L;
    }

    @Override
    public Effect<Paid, Long> handle(Long payments, Pay pay, PersistenceContext<Pay> context) {
        return persist(new Paid(pay.to(), pay.amount())).thenReply(now -> now);
    }

    @Override
    public Long apply(Long payments, Paid event) {
        return payments + 1;
    }
}
