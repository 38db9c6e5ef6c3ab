package io.shardbus.launcher;

import io.shardbus.ClusterSharding;
import io.shardbus.daemon.ShardedDaemonProcess;
import io.shardbus.daemon.WorkerContext;
import io.shardbus.options.DaemonOptions;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A set of workers that is deployed by configuration alone, on every node:
 *
 * <pre>{@code
 * {
 *   "name": "feed", "workers": 8, "role": "worker",   // the keys of DaemonOptions
 *   "workerClass": "com.example.FeedReader",          // a Deployable; its public constructor: (WorkerContext) or ()
 *   "sharding": {"roles": ["worker"]}                 // optional: ShardingOptions; the same for all of a Vertx
 * }
 * }</pre>
 *
 * The deployment completes when a coordinator has accepted the region of the set, and fails with the key that is wrong.
 * To undeploy it moves this node's workers to other nodes.
 */
public final class ShardedDaemonVerticle extends VerticleBase {
    private static final String WORKER_CLASS = "workerClass";
    private static final String SHARDING = "sharding";

    private @Nullable ShardedDaemonProcess process;

    @Override
    public Future<?> start() {
        ConfigSection section = new ConfigSection("", config());
        Function<WorkerContext, Deployable> workers = workers(section);
        DaemonOptions options = options(section);
        ShardingOptions sharding = new ShardingOptions(section.section(SHARDING).json());
        return ShardedDaemonProcess.start(vertx, ClusterSharding.create(vertx, sharding), options, workers)
                .onSuccess(started -> process = started);
    }

    @Override
    public Future<?> stop() {
        return Objects.requireNonNull(process, "started").stop();
    }

    /** Refuses what is wrong. */
    static void check(ConfigSection section) {
        workers(section);
        options(section);
    }

    private static DaemonOptions options(ConfigSection section) {
        try {
            DaemonOptions options = new DaemonOptions(section.without(Set.of(WORKER_CLASS, SHARDING)));
            options.validate();
            return options;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(section.key(String.valueOf(e.getMessage())), e);
        }
    }

    /** Makes workers by the public constructor that takes the context, else by the one without parameters. */
    private static Function<WorkerContext, Deployable> workers(ConfigSection section) {
        Class<?> type = NamedClasses.find(section, WORKER_CLASS);
        if (!Deployable.class.isAssignableFrom(type)) {
            throw section.refusal(WORKER_CLASS, "class " + type.getName() + " is no " + Deployable.class.getName());
        }
        Constructor<?> told = constructor(type, WorkerContext.class);
        Constructor<?> plain = constructor(type);
        if (told == null && plain == null) {
            throw section.refusal(
                    WORKER_CLASS,
                    "class " + type.getName()
                            + " needs a public constructor without parameters or with the WorkerContext");
        }
        return context -> (Deployable) (told == null ? make(Objects.requireNonNull(plain)) : make(told, context));
    }

    private static @Nullable Constructor<?> constructor(Class<?> type, Class<?>... parameters) {
        try {
            return type.getConstructor(parameters);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static Object make(Constructor<?> constructor, Object... arguments) {
        try {
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(constructor + " failed", e);
        }
    }
}
