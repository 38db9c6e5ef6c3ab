package io.shardbus.projection;

import io.shardbus.persistence.spi.EventReader;
import io.shardbus.persistence.spi.PersistenceStore;
import io.vertx.core.Future;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** A store, or a part of one, that does what it does, with one method whose answer the test hears and may change. */
final class ChangedAnswers {
    private ChangedAnswers() {}

    /** The store, with the most rows that it was asked to give in one read. */
    static PersistenceStore counting(PersistenceStore store, AtomicInteger most) {
        EventReader reader = delegate(
                EventReader.class,
                store.reader(),
                "read",
                answer -> ((Future<?>) answer)
                        .onSuccess(read -> most.accumulateAndGet(rows((Map<?, ?>) read), Math::max)));
        return delegate(PersistenceStore.class, store, "reader", answer -> reader);
    }

    private static int rows(Map<?, ?> read) {
        return read.values().stream().mapToInt(rows -> ((List<?>) rows).size()).sum();
    }

    static <T> T delegate(Class<T> type, T to, String method, UnaryOperator<Object> change) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, called, arguments) -> {
                    Object answer = called.invoke(to, arguments);
                    return called.getName().equals(method) ? change.apply(answer) : answer;
                }));
    }

    /** The same where the test decides whether the method is called. */
    static <T> T calls(Class<T> type, T to, String method, Function<Supplier<Object>, Object> change) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, called, arguments) -> {
                    Supplier<Object> call = () -> {
                        try {
                            return called.invoke(to, arguments);
                        } catch (ReflectiveOperationException e) {
                            throw new IllegalStateException(e);
                        }
                    };
                    return called.getName().equals(method) ? change.apply(call) : call.get();
                }));
    }
}
