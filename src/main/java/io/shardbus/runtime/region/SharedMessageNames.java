package io.shardbus.runtime.region;

import io.shardbus.core.latency.MessageNames;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The names under which a type's message classes are measured: the first so many classes have one of their own, later
 * ones share {@link #OTHER}. Any thread.
 */
final class SharedMessageNames implements MessageNames {
    /** With a name of their own. */
    static final int MOST = 32;

    private final Map<Class<?>, String> names = new ConcurrentHashMap<>();
    private final AtomicInteger given = new AtomicInteger();

    @Override
    public String of(Class<?> message) {
        String known = names.get(message);
        if (known != null) {
            return known;
        }
        if (given.get() >= MOST || given.incrementAndGet() > MOST) {
            return OTHER;
        }
        String before = names.putIfAbsent(message, name(message));
        if (before != null) {
            given.decrementAndGet();
            return before;
        }
        return name(message);
    }

    private static String name(Class<?> message) {
        String simple = message.getSimpleName();
        return simple.isEmpty() ? message.getName().substring(message.getName().lastIndexOf('.') + 1) : simple;
    }
}
