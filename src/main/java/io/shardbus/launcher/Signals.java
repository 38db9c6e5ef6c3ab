package io.shardbus.launcher;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Signals of the operating system. The JVM's own handling runs shutdown hooks on the first and ignores the second;
 * {@code sun.misc.Signal} of the module jdk.unsupported is the one way to hear of both, used by reflection since
 * compilers warn of it.
 */
final class Signals {
    private Signals() {}

    /**
     * Calls the handler with the signal's number, on a thread of the JVM's, in place of what the JVM does. Where the
     * JVM has no such signals, or runs with -Xrs, its shutdown hooks are all there is.
     */
    static void handle(List<String> names, IntConsumer handler) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handling = Class.forName("sun.misc.SignalHandler");
            Method number = signal.getMethod("getNumber");
            InvocationHandler calls = (proxy, method, arguments) -> switch (method.getName()) {
                case "handle" -> {
                    // the JVM's thread for signals has none, and what the application calls may need it
                    Thread.currentThread().setContextClassLoader(Signals.class.getClassLoader());
                    handler.accept((Integer) number.invoke(arguments[0]));
                    yield null;
                }
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "signals";
            };
            Object listener = Proxy.newProxyInstance(handling.getClassLoader(), new Class<?>[] {handling}, calls);
            for (var name : names) {
                signal.getMethod("handle", signal, handling)
                        .invoke(null, signal.getConstructor(String.class).newInstance(name), listener);
            }
        } catch (ReflectiveOperationException e) {
            System.err.println("a second signal will not end this process at once: " + e);
        }
    }
}
