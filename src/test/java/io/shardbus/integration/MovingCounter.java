package io.shardbus.integration;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.model.StartReason;
import io.shardbus.spi.HandsOver;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;

/** A counter in memory that takes its value along when its shard moves. */
public final class MovingCounter implements Entity<CounterMessage>, HandsOver {
    /** Its type, remembered. */
    public static EntityDefinition<CounterMessage> remembered() {
        return EntityDefinition.of(CounterMessage.COUNTER, id -> new MovingCounter(1))
                .withNumberOfShards(20)
                .withRememberEntities(true);
    }

    /** Another type with such counters, which is not remembered. */
    public static final EntityType<CounterMessage> FORGOTTEN = EntityType.of("forgotten", CounterMessage.class);

    public static EntityDefinition<CounterMessage> forgotten() {
        return EntityDefinition.of(FORGOTTEN, id -> new MovingCounter(1)).withNumberOfShards(20);
    }

    private final Counter counter = new Counter();
    private final int version;

    private StartReason reason = StartReason.MESSAGE;
    private long value;

    /** @param version the format that it writes, and the newest that it reads */
    public MovingCounter(int version) {
        this.version = version;
    }

    @Override
    public Future<?> started(EntityContext<CounterMessage> context) {
        reason = context.startReason();
        return done();
    }

    @Override
    public Future<?> receive(CounterMessage message, EntityContext<CounterMessage> context) {
        if (message instanceof CounterMessage.AddAndGet add) {
            value += add.amount();
            return reply(value);
        }
        if (message instanceof CounterMessage.Get) {
            return reply(value);
        }
        if (message instanceof CounterMessage.WhyStarted) {
            return reply(reason.name());
        }
        return counter.receive(message, context);
    }

    @Override
    public Future<State> handOver() {
        return Future.succeededFuture(new State(version, Buffer.buffer().appendLong(value)));
    }

    @Override
    public Future<?> takeOver(State state) {
        if (state.version() > version) {
            throw new IllegalArgumentException("version " + state.version());
        }
        value = state.bytes().getLong(0);
        return done();
    }
}
