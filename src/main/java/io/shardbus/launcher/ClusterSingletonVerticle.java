package io.shardbus.launcher;

import io.shardbus.ClusterSharding;
import io.shardbus.daemon.ClusterSingleton;
import io.shardbus.options.ShardingOptions;
import io.shardbus.options.SingletonOptions;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.json.JsonObject;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A singleton that is deployed by configuration alone, on every node:
 *
 * <pre>{@code
 * {
 *   "name": "ids", "role": "main",                    // the keys of SingletonOptions
 *   "verticleClass": "com.example.IdGenerator",       // a public Deployable; its public constructor has no parameters
 *   "messageClass": "com.example.Next",               // optional: what it takes, if it is a SingletonVerticle
 *   "sharding": {"roles": ["main"]}                   // optional: ShardingOptions; the same for all of a Vertx
 * }
 * }</pre>
 *
 * In the launcher's file it may have a "dataCenter", as a region has. The deployment completes when a coordinator has
 * accepted the region of the singleton, and fails with the key that is wrong. To undeploy it moves the singleton to
 * another node if it is here.
 */
public final class ClusterSingletonVerticle extends VerticleBase {
    private static final String VERTICLE_CLASS = "verticleClass";
    private static final String MESSAGE_CLASS = "messageClass";
    private static final String SHARDING = "sharding";

    private @Nullable ClusterSingleton<?> singleton;

    @Override
    public Future<?> start() {
        ConfigSection section = new ConfigSection("", config());
        Supplier<Deployable> verticle = verticle(section);
        SingletonOptions options = options(section);
        Class<?> messages = messages(section);
        ShardingOptions sharding = new ShardingOptions(section.section(SHARDING).json());
        return ClusterSingleton.start(vertx, ClusterSharding.create(vertx, sharding), options, messages, verticle)
                .onSuccess(started -> singleton = started);
    }

    @Override
    public Future<?> stop() {
        return Objects.requireNonNull(singleton, "started").stop();
    }

    /** Refuses what is wrong. */
    static void check(ConfigSection section) {
        verticle(section);
        messages(section);
        options(section);
    }

    static SingletonOptions options(ConfigSection section) {
        try {
            var options = new SingletonOptions(section.without(Set.of(VERTICLE_CLASS, MESSAGE_CLASS, SHARDING)));
            options.validate();
            return options;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(section.key(String.valueOf(e.getMessage())), e);
        }
    }

    static Class<?> messages(ConfigSection section) {
        return section.has(MESSAGE_CLASS) ? NamedClasses.find(section, MESSAGE_CLASS) : JsonObject.class;
    }

    private static Supplier<Deployable> verticle(ConfigSection section) {
        return NamedClasses.eachTime(section, VERTICLE_CLASS, Deployable.class);
    }
}
