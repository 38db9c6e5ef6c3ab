package io.shardbus.integration;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityFailure;
import io.vertx.core.Future;
import io.vertx.core.Promise;

/** The tests' counter. */
public final class Counter implements Entity<CounterMessage> {
    private long value;

    public static EntityDefinition<CounterMessage> definition() {
        return EntityDefinition.of(CounterMessage.COUNTER, id -> new Counter());
    }

    @Override
    public Future<?> receive(CounterMessage message, EntityContext<CounterMessage> context) {
        if (message instanceof CounterMessage.Add add) {
            value += add.amount();
            return done();
        }
        if (message instanceof CounterMessage.AddAndGet add) {
            value += add.amount();
            return reply(value);
        }
        if (message instanceof CounterMessage.Get) {
            return reply(value);
        }
        return rest(message, context);
    }

    private Future<?> rest(CounterMessage message, EntityContext<CounterMessage> context) {
        if (message instanceof CounterMessage.Where) {
            return reply(new CounterMessage.Place(
                    context.node().value(),
                    context.incarnation(),
                    context.shard(),
                    context.token().term(),
                    context.token().sequence()));
        }
        if (message instanceof CounterMessage.Crash) {
            throw new IllegalStateException("crashed on request");
        }
        if (message instanceof CounterMessage.Refuse) {
            return Future.failedFuture(new EntityFailure("no-more", "the counter refuses"));
        }
        if (message instanceof CounterMessage.Slow slow) {
            return context.vertx().timer(slow.millis()).map(fired -> value);
        }
        if (message instanceof CounterMessage.PutAway) {
            context.passivate();
            return done();
        }
        return Promise.promise().future();
    }
}
