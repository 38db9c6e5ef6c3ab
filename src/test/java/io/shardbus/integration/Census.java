package io.shardbus.integration;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.model.StopReason;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

/**
 * Who is live in this JVM, as the entities themselves say: each counts as live from its start until its stop has ended.
 * A second live instance of one id is a fault.
 */
public final class Census {
    /** One life of an entity. */
    public record Life(String node, String incarnation, int shard) {}

    private final Map<String, Life> live = new ConcurrentHashMap<>();
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final Queue<String> stops = new ConcurrentLinkedQueue<>();

    /** A type whose entities are counted. */
    public EntityDefinition<CounterMessage> definition(EntityType<CounterMessage> type) {
        return definition(type, context -> Future.succeededFuture());
    }

    /** A type whose entities are counted, and end when their last work is done. */
    public EntityDefinition<CounterMessage> definition(
            EntityType<CounterMessage> type, Function<EntityContext<CounterMessage>, Future<?>> lastWork) {
        return EntityDefinition.of(type, id -> new Counted(lastWork));
    }

    public EntityDefinition<CounterMessage> definition() {
        return definition(CounterMessage.COUNTER);
    }

    /** All lives that go on. */
    public Map<String, Life> live() {
        return Map.copyOf(live);
    }

    /** How many are live on a node. */
    public long liveOn(String node) {
        return live.values().stream().filter(life -> life.node().equals(node)).count();
    }

    /** Each end of a life: the id and the reason. */
    public List<String> stops() {
        return List.copyOf(stops);
    }

    /** What must not have happened. */
    public List<String> faults() {
        return List.copyOf(faults);
    }

    private void begins(EntityContext<?> context) {
        Life life = new Life(context.node().value(), context.incarnation(), context.shard());
        Life other = live.put(key(context), life);
        if (other != null) {
            faults.add(key(context) + " is live twice: " + other + " and " + life);
        }
    }

    private void ends(EntityContext<?> context, StopReason reason) {
        live.computeIfPresent(
                key(context), (key, life) -> life.incarnation().equals(context.incarnation()) ? null : life);
        stops.add(context.id() + " " + reason);
    }

    private static String key(EntityContext<?> context) {
        return context.type().name() + "/" + context.id();
    }

    private final class Counted implements Entity<CounterMessage> {
        private final Counter counter = new Counter();
        private final Function<EntityContext<CounterMessage>, Future<?>> lastWork;
        private EntityContext<CounterMessage> context;

        Counted(Function<EntityContext<CounterMessage>, Future<?>> lastWork) {
            this.lastWork = lastWork;
        }

        @Override
        public Future<?> started(EntityContext<CounterMessage> started) {
            context = started;
            begins(started);
            return done();
        }

        @Override
        public Future<?> receive(CounterMessage message, EntityContext<CounterMessage> receiving) {
            return counter.receive(message, receiving);
        }

        @Override
        public Future<?> stopping(StopReason reason) {
            return lastWork.apply(context).onComplete(done -> ends(context, reason));
        }
    }
}
