package io.shardbus.launcher;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.persistence.spi.PersistenceStore;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;

/** Persistent entities that a configuration can name: they say how often they have greeted. */
public final class StoredGreetings implements PersistentFactory<String> {
    private String greeting = "";

    record Greeted(String name) {}

    @Override
    public void init(Vertx vertx, JsonObject config) {
        greeting = config.getString("greeting", "hello");
    }

    @Override
    public EntityDefinition<String> define(EntityType<String> type, PersistenceStore store) {
        return EventSourced.of(type, id -> new Counting(), EventCodec.json(Greeted.class))
                .on(store);
    }

    private final class Counting implements EventSourcedEntity<String, Greeted, Integer> {
        @Override
        public Integer emptyState() {
            return 0;
        }

        @Override
        public Effect<Greeted, Integer> handle(Integer count, String name, PersistenceContext<String> context) {
            return persist(new Greeted(name)).thenReply(now -> greeting + " " + name + ", number " + now);
        }

        @Override
        public Integer apply(Integer count, Greeted event) {
            return count + 1;
        }
    }
}
