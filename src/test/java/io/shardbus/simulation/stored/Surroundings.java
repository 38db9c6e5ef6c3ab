package io.shardbus.simulation.stored;

import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.core.shareddata.SharedData;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The Vertx that the runtime of one process sees: its timers and its one event loop are the simulation's. What is not
 * simulated is refused.
 */
final class Surroundings {
    /** Runs tasks in the process, at their time. */
    interface Loop {
        void after(long millis, Runnable task);
    }

    private final Loop loop;
    private final Map<String, Object> maps = new HashMap<>();
    private final Set<Long> timers = new HashSet<>();
    private final Context context;
    private final Vertx vertx;
    private long made;

    Surroundings(Loop loop) {
        this.loop = loop;
        this.context = proxy(Context.class, (self, method, arguments) -> switch (method.getName()) {
            case "runOnContext" -> run(0, arguments[0]);
            case "owner" -> vertx();
            default -> throw new UnsupportedOperationException("not simulated: Context." + method.getName());
        });
        SharedData shared = proxy(SharedData.class, (self, method, arguments) -> switch (method.getName()) {
            case "getLocalMap" -> maps.computeIfAbsent((String) arguments[0], name -> map());
            default -> throw new UnsupportedOperationException("not simulated: SharedData." + method.getName());
        });
        this.vertx = proxy(Vertx.class, (self, method, arguments) -> switch (method.getName()) {
            case "setTimer" -> timer((long) arguments[0], arguments[1]);
            case "cancelTimer" -> timers.remove((long) arguments[0]);
            case "getOrCreateContext" -> context;
            case "sharedData" -> shared;
            case "hashCode" -> System.identityHashCode(self);
            case "equals" -> self == arguments[0];
            case "toString" -> "simulated";
            default -> throw new UnsupportedOperationException("not simulated: Vertx." + method.getName());
        });
    }

    Vertx vertx() {
        return vertx;
    }

    Context context() {
        return context;
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @SuppressWarnings("unchecked")
    private Object run(long millis, Object handler) {
        loop.after(millis, () -> ((Handler<Object>) handler).handle(null));
        return null;
    }

    @SuppressWarnings("unchecked")
    private Object timer(long millis, Object handler) {
        long number = ++made;
        timers.add(number);
        loop.after(millis, () -> {
            if (timers.remove(number)) {
                ((Handler<Long>) handler).handle(number);
            }
        });
        return number;
    }

    @SuppressWarnings("unchecked")
    private static LocalMap<?, ?> map() {
        Map<Object, Object> kept = new HashMap<>();
        return proxy(LocalMap.class, (self, method, arguments) -> switch (method.getName()) {
            case "computeIfAbsent" -> kept.computeIfAbsent(arguments[0], (Function<Object, Object>) arguments[1]);
            default -> throw new UnsupportedOperationException("not simulated: LocalMap." + method.getName());
        });
    }
}
