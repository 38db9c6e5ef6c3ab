package io.shardbus.testkit;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Time that the test moves, and the timers that hang on it. Any thread. */
final class ManualTime implements InvocationHandler {
    /** Key of a timer: when it fires, and its number. */
    private record Key(long due, long number) implements Comparable<Key> {
        private static final Comparator<Key> ORDER =
                Comparator.comparingLong(Key::due).thenComparingLong(Key::number);

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    private record Timer(long period, Handler<Long> handler) {}

    private final VertxInternal real;
    private final Vertx vertx;
    private final AtomicLong now = new AtomicLong(1);
    private final AtomicLong numbers = new AtomicLong();
    private final ConcurrentSkipListMap<Key, Timer> timers = new ConcurrentSkipListMap<>();
    private final Map<Long, Key> keys = new ConcurrentHashMap<>();

    ManualTime(Vertx real) {
        this.real = (VertxInternal) real;
        this.vertx = (Vertx) Proxy.newProxyInstance(
                VertxInternal.class.getClassLoader(), new Class<?>[] {VertxInternal.class}, this);
    }

    /** The Vertx whose timers are of this time; all else is the real one's. */
    Vertx vertx() {
        return vertx;
    }

    long now() {
        return now.get();
    }

    void set(long moment) {
        now.set(moment);
    }

    /** Time until each timer fires, the next one first. */
    List<Duration> waiting() {
        return timers.keySet().stream()
                .map(key -> Duration.ofMillis(key.due() - now()))
                .toList();
    }

    /** The moment at which the next timer fires; empty if there is none. */
    Optional<Long> nextDue() {
        Map.Entry<Key, Timer> first = timers.firstEntry();
        return first == null ? Optional.empty() : Optional.of(first.getKey().due());
    }

    /** Fires the first timer that is due; false if none is. */
    boolean fireOne() {
        Map.Entry<Key, Timer> first = timers.firstEntry();
        if (first == null || first.getKey().due() > now() || timers.remove(first.getKey()) == null) {
            return false;
        }
        long number = first.getKey().number();
        Timer timer = first.getValue();
        keys.remove(number);
        if (timer.period() > 0) {
            put(new Key(first.getKey().due() + timer.period(), number), timer);
        }
        timer.handler().handle(number);
        return true;
    }

    private long put(Key key, Timer timer) {
        keys.put(key.number(), key);
        timers.put(key, timer);
        return key.number();
    }

    /** Refuses what Vert.x refuses. */
    private long setTimer(long delay, Handler<Long> handler) {
        requireDelay(delay);
        return set(delay, 0, handler);
    }

    private long setPeriodic(long initialDelay, long period, Handler<Long> handler) {
        requireDelay(period);
        if (initialDelay < 0) {
            throw new IllegalArgumentException("Cannot schedule a timer with initialDelay < 0");
        }
        return set(initialDelay, period, handler);
    }

    private static void requireDelay(long delay) {
        if (delay < 1) {
            throw new IllegalArgumentException("Cannot schedule a timer with delay < 1 ms");
        }
    }

    private long set(long delay, long period, Handler<Long> handler) {
        return put(new Key(now() + delay, numbers.incrementAndGet()), new Timer(period, handler));
    }

    private boolean cancel(long number) {
        Key key = keys.remove(number);
        return key != null && timers.remove(key) != null;
    }

    @Override
    @SuppressWarnings("unchecked")
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        Object[] given = arguments == null ? new Object[0] : arguments;
        return switch (method.getName()) {
            case "setTimer" -> setTimer((long) given[0], (Handler<Long>) given[1]);
            case "setPeriodic" ->
                given.length == 2
                        ? setPeriodic((long) given[0], (long) given[0], (Handler<Long>) given[1])
                        : setPeriodic((long) given[0], (long) given[1], (Handler<Long>) given[2]);
            case "cancelTimer" -> cancel((long) given[0]);
            default -> call(method, given);
        };
    }

    private @Nullable Object call(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
