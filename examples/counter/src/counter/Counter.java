package counter;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityFailure;
import io.vertx.core.Future;

/** A number with an id. It lives in memory: an instance that starts anew, elsewhere or after a crash, begins at 0. */
public final class Counter implements Entity<CounterMessage> {
    private long value;

    @Override
    public Future<?> receive(CounterMessage message, EntityContext<CounterMessage> context) {
        if (message instanceof CounterMessage.Add add) {
            value = sum(value, add.amount());
        }
        return reply(
                new CounterState(context.id(), value, context.node().value(), context.incarnation(), context.token()));
    }

    private static long sum(long value, long amount) {
        try {
            return Math.addExact(value, amount);
        } catch (ArithmeticException e) {
            throw new EntityFailure("OVERFLOW", value + " + " + amount + " is more than a counter can hold");
        }
    }
}
