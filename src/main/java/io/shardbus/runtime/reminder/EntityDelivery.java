package io.shardbus.runtime.reminder;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.codec.PayloadCodecs;
import io.shardbus.persistence.spi.ReminderStore.Reminder;
import io.shardbus.spi.PayloadCodec;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.function.Function;

/** Sends the message of a reminder to its entity as an ask. Any thread. */
public final class EntityDelivery<M> implements DueReminders.Delivery {
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private final EntityType<M> type;
    private final PayloadCodec<M> codec;
    private final Function<String, EntityRef<M>> entities;
    private final Runnable failed;

    /**
     * @param entities the reference to the entity with an id
     * @param failed called for each delivery that failed and is repeated
     */
    public EntityDelivery(EntityDefinition<M> definition, Function<String, EntityRef<M>> entities, Runnable failed) {
        this.type = definition.type();
        this.codec = PayloadCodecs.of(definition);
        this.entities = entities;
        this.failed = failed;
    }

    @Override
    public Future<Void> deliver(Reminder reminder) {
        return entities.apply(reminder.id())
                .request(message(reminder.payload()), Object.class, DEADLINE)
                .mapEmpty();
    }

    @Override
    public void failed() {
        failed.run();
    }

    private M message(Buffer payload) {
        Object message = codec.decode(payload, 0, payload.length());
        if (message == null) {
            throw new IllegalArgumentException("a reminder of '" + type.name() + "' has no message");
        }
        return type.messageClass().cast(message);
    }
}
