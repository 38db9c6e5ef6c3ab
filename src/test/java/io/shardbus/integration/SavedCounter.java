package io.shardbus.integration;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.model.NodeId;
import io.shardbus.model.StartReason;
import io.vertx.core.Future;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counters that save their value, as an application would in a database: here in this JVM, by type and id. */
public final class SavedCounter implements Entity<CounterMessage> {
    /** How the live instance began: before any message. */
    public record Start(NodeId node, StartReason reason, long value) {}

    /** What all counters have saved, and how each began the last time. */
    public static final class Database {
        private final Map<String, Long> values = new ConcurrentHashMap<>();
        private final Map<String, Start> starts = new ConcurrentHashMap<>();

        public EntityDefinition<CounterMessage> definition(EntityType<CounterMessage> type) {
            return EntityDefinition.of(type, id -> new SavedCounter(this, type.name() + "/" + id));
        }

        /** Null for an entity that never started. */
        public Start start(EntityType<CounterMessage> type, String id) {
            return starts.get(type.name() + "/" + id);
        }
    }

    private final Database database;
    private final String key;

    private SavedCounter(Database database, String key) {
        this.database = database;
        this.key = key;
    }

    private long value() {
        return database.values.getOrDefault(key, 0L);
    }

    @Override
    public Future<?> started(EntityContext<CounterMessage> context) {
        database.starts.put(key, new Start(context.node(), context.startReason(), value()));
        return done();
    }

    @Override
    public Future<?> receive(CounterMessage message, EntityContext<CounterMessage> context) {
        if (message instanceof CounterMessage.AddAndGet add) {
            database.values.put(key, value() + add.amount());
        }
        return reply(value());
    }
}
