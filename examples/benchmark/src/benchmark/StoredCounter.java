package benchmark;

import io.shardbus.EntityType;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.PersistenceContext;
import io.vertx.core.buffer.Buffer;
import java.util.Collections;
import java.util.List;

/** A counter whose additions are stored: one event of 200 B for each 1 that a command adds. 0 reads. */
final class StoredCounter implements EventSourcedEntity<CounterMessage, CounterMessage.Add, Long> {
    /** Answers, and puts the instance away. */
    static final CounterMessage.AddAndGet LEAVE = new CounterMessage.AddAndGet(-1, Payload.NONE);

    static final CounterMessage.AddAndGet READ = new CounterMessage.AddAndGet(0, Payload.NONE);
    static final CounterMessage.AddAndGet ADD = add(1);

    /** Bytes of an event as it is stored. */
    static final int EVENT_BYTES = 200;

    private static final CounterMessage.Add EVENT = new CounterMessage.Add(1, Payload.of(EVENT_BYTES - Long.BYTES));

    /** Stores so many events with one command. */
    static CounterMessage.AddAndGet add(int events) {
        return new CounterMessage.AddAndGet(events, Payload.NONE);
    }

    static EventSourced<CounterMessage, CounterMessage.Add, Long> type(String name) {
        return EventSourced.of(EntityType.of(name, CounterMessage.class), id -> new StoredCounter(), new Codec());
    }

    @Override
    public Long emptyState() {
        return 0L;
    }

    @Override
    public Effect<CounterMessage.Add, Long> handle(
            Long sum, CounterMessage command, PersistenceContext<CounterMessage> context) {
        if (command.amount() < 0) {
            return reply(sum).thenPassivate();
        }
        return command.amount() == 0
                ? reply(sum)
                : persist(Collections.nCopies((int) command.amount(), EVENT)).thenReply(now -> now);
    }

    @Override
    public Long apply(Long sum, CounterMessage.Add event) {
        return sum + event.amount();
    }

    /** By hand, as the messages are. */
    static final class Codec implements EventCodec<CounterMessage.Add> {
        @Override
        public int format() {
            return 2;
        }

        @Override
        public Encoded encode(CounterMessage.Add event) {
            var payload = Buffer.buffer(EVENT_BYTES).appendLong(event.amount()).appendBuffer(event.padding());
            return new Encoded("added", 1, payload);
        }

        @Override
        public List<CounterMessage.Add> decode(String name, int version, Buffer payload) {
            var padding = payload.getBuffer(Long.BYTES, payload.length());
            return List.of(new CounterMessage.Add(payload.getLong(0), padding));
        }
    }
}
