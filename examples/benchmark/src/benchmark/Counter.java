package benchmark;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.vertx.core.Future;

/** A sum in memory: the least that an entity can be. */
final class Counter implements Entity<CounterMessage> {
    private long total;

    @Override
    public Future<?> receive(CounterMessage message, EntityContext<CounterMessage> context) {
        total += message.amount();
        return message instanceof CounterMessage.AddAndGet ? reply(total) : done();
    }
}
