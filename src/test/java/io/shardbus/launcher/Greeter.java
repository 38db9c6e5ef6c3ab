package io.shardbus.launcher;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.model.StartReason;
import io.shardbus.spi.ShardingMetrics;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** An entity that a configuration can name: it says hello to the one who is named. */
public class Greeter implements Entity<String> {
    private final String id;

    public Greeter(String id) {
        this.id = id;
    }

    @Override
    public Future<?> receive(String name, EntityContext<String> context) {
        return reply("hello " + name + ", I am " + id);
    }

    /** One whose instances do not learn their id. */
    public static final class Nameless extends Greeter {
        public Nameless() {
            super("a stranger");
        }
    }

    /** Metrics that a configuration can name: they keep who has started, as all of their instances do together. */
    public static final class Starts implements ShardingMetrics {
        static final Queue<String> HEARD = new ConcurrentLinkedQueue<>();

        @Override
        public void entityStarted(String type, int shard, StartReason reason) {
            HEARD.add(type + " " + reason);
        }
    }

    /** One that takes any options. */
    public static final class Any<M> implements Entity<M> {
        @Override
        public Future<?> receive(M message, EntityContext<M> context) {
            return reply("hello " + message + ", I am anybody");
        }
    }

    /** One for messages of another class. */
    public static final class Counting implements Entity<Integer> {
        @Override
        public Future<?> receive(Integer message, EntityContext<Integer> context) {
            return reply(message);
        }
    }

    /** One that cannot be made. */
    public static final class Unreachable extends Greeter {
        Unreachable() {
            super("");
        }
    }

    /** A factory that a configuration can name: its entities are given what the factory was. */
    public static final class Polite implements EntityFactory<String> {
        private String title = "";

        @Override
        public void init(Vertx vertx, JsonObject config) {
            if (config.getString("title", "").isEmpty()) {
                throw new IllegalArgumentException("title: must be set");
            }
            title = config.getString("title") + (vertx.isClustered() ? " of a cluster" : "");
        }

        @Override
        public Entity<String> create(String id) {
            return new Greeter(title + " " + id);
        }
    }
}
