package io.shardbus.integration;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardbus.ClusterSharding;
import io.shardbus.Entity;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingException;
import io.shardbus.model.FailureCode;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** One Vertx that is not clustered, with its sharding. Close it. */
public final class LoneNode implements AutoCloseable {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final AtomicInteger TYPES = new AtomicInteger();

    private final Vertx vertx = Vertx.vertx();
    private final ClusterSharding sharding;

    public LoneNode(ShardingOptions options) {
        sharding = ClusterSharding.create(vertx, options);
    }

    public Vertx vertx() {
        return vertx;
    }

    public ClusterSharding sharding() {
        return sharding;
    }

    /** Starts the definition and gives its region. */
    public <M> ShardRegion<M> start(EntityDefinition<M> definition) {
        return await(sharding.start(definition));
    }

    /** A type of text messages that no other test uses. */
    public static EntityType<String> newType() {
        return EntityType.of("texts-" + TYPES.incrementAndGet(), String.class);
    }

    /** A new type of entities that take texts. */
    public static EntityDefinition<String> texts(Function<String, Entity<String>> factory) {
        return EntityDefinition.of(newType(), factory);
    }

    /** Starts a new type of entities that take texts, and gives one of them. */
    public EntityRef<String> startOne(EntityDefinition<String> definition) {
        return start(definition).entityRef("one");
    }

    /** Asks a text, answered by a text. */
    public static Future<String> ask(EntityRef<String> entity, String message) {
        return entity.request(message, String.class, LONG);
    }

    /** How a future fails that must fail. */
    public static ShardingException failure(Future<?> future) {
        return assertThrows(ShardingException.class, () -> await(future));
    }

    /** With which code a future fails that must fail. */
    public static FailureCode failureCode(Future<?> future) {
        return failure(future).code();
    }

    @Override
    public void close() {
        await(vertx.close());
    }
}
